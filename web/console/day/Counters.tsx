import { type Booking, toConfirmation, toState } from '../data/bookings.ts';
import { words } from '../words.ts';
import style from './Day.module.css';

const groups = ['waiting', 'approved', 'checked_in', 'called', 'completed', 'no_show', 'canceled'] as const;
type State = (typeof groups)[number];
/** A state, or those who have not answered whether they come. */
export type Group = State | 'unanswered';

export const isGroup = (text: string | undefined): text is Group =>
  text === 'unanswered' || groups.some((one) => one === text);

/** Rejected and expired ones are counted with those that were canceled. */
const toGroup = (booking: Booking): State => {
  const state = toState(booking);
  return state === 'rejected' || state === 'expired' ? 'canceled' : state;
};

/** Whether a booking is shown with a group. */
export const isIn = (group: Group, booking: Booking): boolean =>
  group === 'unanswered' ? toConfirmation(booking) === group : toGroup(booking) === group;

interface Props {
  bookings: readonly Booking[];
  chosen: Group | null;
  onChoose: (group: Group | null) => void;
}

/** How many there are of each state; a press shows them alone, another shows all. */
export const Counters = ({ bookings, chosen, onChoose }: Props) => {
  const text = words.value;
  const count = (group: Group): number => bookings.filter((one) => isIn(group, one)).length;
  // Where no reminder asks, there is nobody to be marked.
  const isAsked = chosen === 'unanswered' || bookings.some(({ asked_at }) => asked_at !== null);
  const shown: readonly Group[] = isAsked ? [...groups, 'unanswered'] : groups;
  const nameOf = (group: Group): string =>
    group === 'unanswered'
      ? text.confirmation.unanswered
      : group === 'canceled'
        ? text.day.canceled
        : text.short[group];
  return (
    <fieldset class={style.counters} aria-label={text.day.counters}>
      <button type="button" class={style.chip} aria-pressed={chosen === null} onClick={() => onChoose(null)}>
        <b>{bookings.length}</b> {text.day.all}
      </button>
      {shown.map((group) => (
        <button
          key={group}
          type="button"
          class={style.chip}
          aria-pressed={chosen === group}
          onClick={() => onChoose(chosen === group ? null : group)}
        >
          <b>{count(group)}</b> {nameOf(group)}
        </button>
      ))}
    </fieldset>
  );
};
