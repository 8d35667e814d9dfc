import { phoneTail } from '../data/bookings.ts';
import type { Entry } from '../data/waitlist.ts';
import look from '../ui/page.module.css';

/** Who waits: the name, which leads to the record, and the end of the phone number. */
export const PatientCell = ({ patient }: Pick<Entry, 'patient'>) => (
  <>
    <a class={look.plainLink} href={`/konsol/pasien/${patient.id}`}>
      {patient.name}
    </a>{' '}
    <span class={look.soft}>{phoneTail(patient)}</span>
  </>
);
