import { clockTime, duration, timeOf } from '../../shared/time.ts';
import { phoneTail } from '../data/bookings.ts';
import { now, today } from '../data/clinic.ts';
import type { Offered } from '../data/waitlist.ts';
import look from '../ui/page.module.css';
import { Table } from '../ui/Table.tsx';
import { shortDate } from '../ui/when.ts';
import { further } from '../words/follow-up.ts';
import { OfferActions } from './OfferActions.tsx';

/**
 * The seats that are held now: for which patient, and until when. Staff record the patient's answer by telephone here.
 */
export const Offers = ({ of, onSaid }: { of: readonly Offered[]; onSaid: (what: string) => void }) => {
  const text = further.value.waitlist;
  const { columns } = text;
  return (
    <Table
      caption={text.offered}
      isCaptionShown
      rows={of}
      columns={[
        {
          name: columns.patient,
          isHead: true,
          cell: ({ patient }) => (
            <>
              <a class={look.plainLink} href={`/konsol/pasien/${patient.id}`}>
                {patient.name}
              </a>{' '}
              <span class={look.soft}>{phoneTail(patient)}</span>
            </>
          ),
        },
        {
          name: columns.seat,
          cell: ({ offer, session_name }) => (
            <span>
              <b>
                {shortDate(offer.schedule_date, today())} {clockTime(offer.schedule_time)}
              </b>{' '}
              · {offer.doctor_name} · {session_name}
            </span>
          ),
        },
        {
          name: columns.until,
          cell: ({ offer }) =>
            text.until(
              timeOf(offer.held_until),
              duration((Date.parse(offer.held_until) - now.value) / 60_000),
            ),
        },
        {
          name: columns.action,
          look: 'actions',
          cell: (one) => <OfferActions of={one} onSaid={onSaid} />,
        },
      ]}
    />
  );
};
