import { type Booking, toState } from '../data/bookings.ts';
import { words } from '../words.ts';
import style from './Day.module.css';

const groups = ['waiting', 'approved', 'checked_in', 'called', 'completed', 'no_show', 'canceled'] as const;
export type Group = (typeof groups)[number];

export const isGroup = (text: string | undefined): text is Group => groups.some((one) => one === text);

/** Rejected and expired ones are counted with those that were canceled. */
export const toGroup = (booking: Booking): Group => {
  const state = toState(booking);
  return state === 'rejected' || state === 'expired' ? 'canceled' : state;
};

interface Props {
  bookings: readonly Booking[];
  chosen: Group | null;
  onChoose: (group: Group | null) => void;
}

/** How many there are of each state; a press shows them alone, another shows all. */
export const Counters = ({ bookings, chosen, onChoose }: Props) => {
  const text = words.value;
  const count = (group: Group): number => bookings.filter((one) => toGroup(one) === group).length;
  return (
    <fieldset class={style.counters} aria-label={text.day.counters}>
      <button type="button" class={style.chip} aria-pressed={chosen === null} onClick={() => onChoose(null)}>
        <b>{bookings.length}</b> {text.day.all}
      </button>
      {groups.map((group) => (
        <button
          key={group}
          type="button"
          class={style.chip}
          aria-pressed={chosen === group}
          onClick={() => onChoose(chosen === group ? null : group)}
        >
          <b>{count(group)}</b> {group === 'canceled' ? text.day.canceled : text.short[group]}
        </button>
      ))}
    </fieldset>
  );
};
