import { timeOf } from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { now } from '../data/clinic.ts';
import { type Entry, listOffered } from '../data/waitlist.ts';
import look from '../ui/page.module.css';
import { Table } from '../ui/Table.tsx';
import { sinceWords } from '../ui/when.ts';
import { further } from '../words/follow-up.ts';
import { words } from '../words.ts';
import { PatientCell } from './PatientCell.tsx';
import { formatWish } from './wish.ts';

interface Props {
  /** Those who wait for one session, in their order. */
  of: readonly Entry[];
  onMove: (id: string) => void;
  onRemove: (id: string) => void;
}

/** Those who wait for one session. */
export const Waiting = ({ of, onMove, onRemove }: Props) => {
  const text = further.value.waitlist;
  const { columns } = text;
  const places = new Map(of.map(({ id }, at) => [id, at + 1]));
  return (
    <Table
      caption={of[0]?.session_name ?? ''}
      isCaptionShown
      rows={of}
      columns={[
        { name: columns.place, look: 'brief', cell: ({ id }) => places.get(id) },
        {
          name: columns.patient,
          isHead: true,
          cell: ({ patient }) => <PatientCell patient={patient} />,
        },
        {
          name: columns.wish,
          cell: (one) => (
            <div>
              {formatWish(one)}
              {listOffered([one]).map(({ offer }) => (
                <p key={offer.booking_id} class={look.strong}>
                  {words.value.held.until(timeOf(offer.held_until))}
                </p>
              ))}
            </div>
          ),
        },
        {
          name: columns.since,
          look: 'soft',
          cell: ({ created_at: at }) => text.waited(sinceWords(at, now.value)),
        },
        {
          name: columns.action,
          look: 'actions',
          cell: ({ id, patient }) => (
            <div class={look.line}>
              {of.length > 1 && (
                <Button small aria-label={`${text.move}: ${patient.name}`} onClick={() => onMove(id)}>
                  {text.move}
                </Button>
              )}
              <Button
                small
                look="danger"
                aria-label={`${text.remove}: ${patient.name}`}
                onClick={() => onRemove(id)}
              >
                {text.remove}
              </Button>
            </div>
          ),
        },
      ]}
    />
  );
};
