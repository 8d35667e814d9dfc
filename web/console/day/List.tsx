import { useSignal } from '@preact/signals';
import { Download, Printer } from 'lucide';
import { Fragment } from 'preact';
import { useRef } from 'preact/hooks';
import { paper } from '../../shared/slip/paper.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { type Booking, toState } from '../data/bookings.ts';
import { now } from '../data/clinic.ts';
import type { Offered } from '../data/waitlist.ts';
import { OfferRow } from '../waitlist/OfferRow.tsx';
import { words } from '../words.ts';
import { useGradually } from './gradually.ts';
import { moveInGrid } from './keys.ts';
import style from './List.module.css';
import { Row } from './Row.tsx';

const ended = new Set(['completed', 'no_show', 'canceled', 'rejected', 'expired']);
const isPast = (booking: Booking): boolean =>
  ended.has(toState(booking)) && Date.parse(booking.ends_at) < now.value;

/** Exports the list as a table; the code for it is loaded at the press. */
const keep = async (bookings: readonly Booking[]): Promise<void> => {
  const { saveDay } = await import('./dayTable.ts');
  saveDay(bookings);
};

interface Props {
  bookings: readonly Booking[];
  /** Seats that are held for people of the waitlist. */
  offers: readonly Offered[];
  label: string;
  /** Whether past bookings are collapsed. */
  folds: boolean;
  /** The filters of the rows. */
  filter: string;
  onOpen: (id: string) => void;
  opened?: string | undefined;
  doctors: readonly (readonly [string, string])[];
  doctor: string | undefined;
  onDoctor: (id: string) => void;
}

/**
 * The rows. While the pointer is over them, rows that others added are delayed, so that nothing moves under it. A row
 * that others changed is updated in place.
 */
export const List = ({
  bookings,
  offers,
  label,
  folds,
  filter,
  onOpen,
  opened,
  doctors,
  doctor,
  onDoctor,
}: Props) => {
  const text = words.value.day;
  const isUnfolded = useSignal(false);
  const isOver = useSignal(false);
  const before = useRef<{ filter: string; ids: ReadonlySet<string>; past: ReadonlySet<string> } | null>(null);
  const isHeld = isOver.value && before.current !== null && before.current.filter === filter;
  const held = isHeld ? before.current : null;
  const rows = held === null ? bookings : bookings.filter(({ id }) => held.ids.has(id));
  const past = new Set(
    folds
      ? rows.filter((one) => (held === null ? isPast(one) : held.past.has(one.id))).map(({ id }) => id)
      : [],
  );
  if (held === null) before.current = { filter, ids: new Set(bookings.map(({ id }) => id)), past };
  // Those that are folded away fill no window.
  const drawn = past.size + useGradually(rows.length - past.size);
  const columns = text.columns;
  const offersAt = (at: number): readonly Offered[] =>
    offers.filter(({ offer: { schedule_time: time } }) => {
      const next = rows.findIndex((one) => one.schedule_time > time);
      return (next < 0 ? rows.length : next) === at;
    });
  const offerRows = (at: number) =>
    offersAt(at).map((one) => (
      <OfferRow key={one.id} of={one} isOpen={one.offer.booking_id === opened} onOpen={onOpen} />
    ));
  return (
    <table
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: arrow keys move in it, as in a grid.
      role="grid"
      aria-label={label}
      class={paper.value === null ? style.grid : `${style.grid} ${style.slips}`}
      onKeyDown={moveInGrid}
      onPointerEnter={(event) => (isOver.value = event.pointerType === 'mouse')}
      onPointerLeave={() => (isOver.value = false)}
    >
      <thead>
        <tr class={`${style.row} ${style.head}`}>
          {(['time', 'label', 'patient', 'doctor', 'state', 'action'] as const).map((name) => (
            <th scope="col" key={name} class={style[name]}>
              {name === 'doctor' && doctors.length > 1 ? (
                <select
                  class={style.doctors}
                  aria-label={text.doctors}
                  value={doctor ?? ''}
                  onChange={(event) => onDoctor(event.currentTarget.value)}
                >
                  <option value="">{text.allDoctors}</option>
                  {doctors.map(([id, called]) => (
                    <option key={id} value={id}>
                      {called}
                    </option>
                  ))}
                </select>
              ) : name === 'action' ? (
                <>
                  <span class="aloud">{columns[name]}</span>
                  <Button small look="quiet" icon={Printer} class={style.print} onClick={() => print()}>
                    {text.print}
                  </Button>
                  <Button
                    small
                    look="quiet"
                    icon={Download}
                    class={style.print}
                    aria-label={text.csv}
                    title={text.csv}
                    onClick={() => void keep(bookings)}
                  />
                </>
              ) : (
                columns[name]
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {past.size > 0 && (
          <tr class={style.fold}>
            <td colSpan={6}>
              {text.past(past.size)}
              <Button
                small
                look="quiet"
                data-stop="fold"
                aria-expanded={isUnfolded.value}
                onClick={() => (isUnfolded.value = !isUnfolded.value)}
              >
                {isUnfolded.value ? text.hidePast : text.showPast}
              </Button>
            </td>
          </tr>
        )}
        {rows.slice(0, drawn).map((booking, at) => (
          <Fragment key={booking.id}>
            {offerRows(at)}
            <Row
              booking={booking}
              isFolded={past.has(booking.id) && !isUnfolded.value}
              isOpen={booking.id === opened}
              onOpen={onOpen}
            />
          </Fragment>
        ))}
        {drawn === rows.length && offerRows(rows.length)}
      </tbody>
    </table>
  );
};
