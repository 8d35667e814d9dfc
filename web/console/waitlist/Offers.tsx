import { clockTime, duration, timeOf } from '../../shared/time.ts';
import { now, today } from '../data/clinic.ts';
import type { Offered } from '../data/waitlist.ts';
import { Table } from '../ui/Table.tsx';
import { shortDate } from '../ui/when.ts';
import { further } from '../words/follow-up.ts';
import { OfferActions } from './OfferActions.tsx';
import { PatientCell } from './PatientCell.tsx';

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
          cell: ({ patient }) => <PatientCell patient={patient} />,
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
