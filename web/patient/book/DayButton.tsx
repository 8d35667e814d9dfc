import { shortParts } from '../../shared/time.ts';
import { common } from '../../shared/words.ts';
import { words } from '../words.ts';
import style from './Picker.module.css';
import type { Day } from './slots.ts';

interface DayProps {
  day: Day;
  isChosen: boolean;
  onPick: () => void;
  /** The waitlist for this day, if nothing else prevents it. */
  waitAt: string | undefined;
}

/** A day with its free times; a full one leads to the waitlist. */
export const DayButton = ({ day, isChosen, onPick, waitAt }: DayProps) => {
  const w = words.value;
  const { weekday, day: number, month } = shortParts(day.date);
  const isOpen = day.free > 0;
  const state = isOpen ? w.free(day.free) : day.why === null ? w.noPractice : common.value.closed[day.why];
  if (day.why === 'full' && waitAt !== undefined)
    return (
      <li>
        <a class={`${style.day} ${style.full}`} href={waitAt}>
          <span>{weekday}</span>
          <span>
            <strong class="tnum">{number}</strong> {month}
          </span>
          <span class="aloud"> · </span>
          <span>{state}</span>
          <span class="aloud"> · </span>
          <span class={style.free}>{w.letMeKnowShort}</span>
        </a>
      </li>
    );
  return (
    <li>
      <button
        type="button"
        class={style.day}
        aria-pressed={isChosen}
        aria-disabled={!isOpen || undefined}
        onClick={() => isOpen && onPick()}
      >
        <span>{weekday}</span>
        <span>
          <strong class="tnum">{number}</strong> {month}
        </span>
        <span class="aloud"> · </span>
        <span class={style.free}>{state}</span>
      </button>
    </li>
  );
};
