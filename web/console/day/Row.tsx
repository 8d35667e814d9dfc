import { useRef } from 'preact/hooks';
import { shortDoctor } from '../../shared/doctor.ts';
import { clockTime, timeOf } from '../../shared/time.ts';
import { StateBadge } from '../../shared/ui/StateBadge.tsx';
import { Sentence } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import { clearNote, notes } from '../data/act.ts';
import {
  type Booking,
  findPrimary,
  findSince,
  phoneTail,
  toConfirmation,
  toState,
} from '../data/bookings.ts';
import { now } from '../data/clinic.ts';
import { marked } from '../data/day.ts';
import { SlipButton } from '../slip/SlipButton.tsx';
import { ActButton } from '../ui/ActButton.tsx';
import { conflictText, perform } from '../ui/Ask.tsx';
import { Further } from '../ui/Further.tsx';
import { useKeptFocus } from '../ui/keepFocus.ts';
import { words } from '../words.ts';
import style from './List.module.css';

interface Props {
  booking: Booking;
  isFolded: boolean;
  isOpen: boolean;
  onOpen: (id: string) => void;
}

const isLate = (booking: Booking): boolean =>
  booking.status === 'approved' && booking.visit === null && Date.parse(booking.starts_at) < now.value;

/** The patient may still answer: the visit has neither ended nor was it canceled. */
const isExpected = (booking: Booking): boolean =>
  booking.status !== 'canceled' && !['completed', 'no_show'].includes(toState(booking));

/**
 * One booking. The tab key stops only at its next action, so that the next row's is one press away; arrow keys reach the
 * rest.
 */
export const Row = ({ booking, isFolded, isOpen, onOpen }: Props) => {
  const text = words.value;
  const note = notes.value.get(booking.id);
  const primary = findPrimary(booking, now.value);
  const state = toState(booking);
  const since = findSince(booking);
  const confirmation = toConfirmation(booking);
  const side = primary === null ? 0 : -1;
  const { name } = booking.patient;
  const box = useRef<HTMLTableRowElement>(null);
  useKeptFocus(box, '[data-stop="more"]');
  const isLoud = primary === 'call' || primary === 'complete';
  return (
    <>
      <tr
        ref={box}
        class={[
          style.row,
          isFolded && style.folded,
          isOpen && style.open,
          marked.value.has(booking.id) && style.marked,
        ]
          .filter(Boolean)
          .join(' ')}
        data-row={booking.id}
      >
        <td class={style.time}>{clockTime(booking.schedule_time)}</td>
        <td class={style.label}>{booking.queue_label}</td>
        <td class={style.patient}>
          <button
            type="button"
            id={`janji-${booking.id}`}
            class={style.name}
            data-stop="name"
            tabIndex={-1}
            onClick={() => onOpen(booking.id)}
          >
            {name}
          </button>
          <span class={style.phone}>
            {phoneTail(booking.patient)}
            {booking.overbooked && ` · ${text.day.overbooked}`}
            {confirmation !== null && ` · ${text.confirmation[confirmation]}`}
            {isExpected(booking) && booking.to_answer ? ` · ${text.day.toAnswer(booking.to_answer)}` : ''}
          </span>
        </td>
        <td class={style.doctor}>
          {shortDoctor(booking.doctor_name)} · {booking.session_name}
        </td>
        <td class={style.state}>
          <StateBadge
            state={state}
            word={text.short[state]}
            more={since === null ? (isLate(booking) ? `· ${text.day.late}` : undefined) : timeOf(since)}
          />
        </td>
        <td class={style.action}>
          {primary !== null && (
            <ActButton
              look={isLoud ? 'primary' : 'plain'}
              busy={note?.busy === primary}
              label={`${text.verbs[primary]}: ${name}`}
              stop="primary"
              onPress={() => perform(booking, primary)}
            >
              {text.verbs[primary]}
            </ActButton>
          )}
          {state === 'checked_in' && <SlipButton isSmall id={booking.id} name={name} tabIndex={-1} />}
          <Further booking={booking} tabIndex={side} onOpen={() => onOpen(booking.id)} />
        </td>
      </tr>
      {note?.failure && (
        <tr class={style.note}>
          <td colSpan={6}>
            <span role="alert">
              {note.conflict ? conflictText(note.conflict) : <Sentence failure={note.failure} />}
            </span>
            <button
              type="button"
              class={style.dismiss}
              data-stop="note"
              onClick={() => clearNote(booking.id)}
            >
              {common.value.close}
            </button>
          </td>
        </tr>
      )}
    </>
  );
};
