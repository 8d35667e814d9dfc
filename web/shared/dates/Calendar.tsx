import { useSignal } from '@preact/signals';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { serviceNow } from '../clock.ts';
import { dateOf, longDate, monthAndYear, shortParts, weekdayOf } from '../time.ts';
import { Button } from '../ui/Button.tsx';
import { Answers, AnyonesDialog } from '../ui/Dialog.tsx';
import { words } from '../words/tanggal.ts';
import { common } from '../words.ts';
import style from './dates.module.css';
import { addMonths, dayByKey, listWeeks, within } from './month.ts';

interface Props {
  title: string;
  value: string;
  min: string;
  max: string;
  onPick: (date: string) => void;
  onClose: () => void;
}

/** A week to take the weekdays' names from. */
const anyWeek = listWeeks('2026-06-01')[0] as string[];

/** A month of days: arrows, Home, End, Page Up and Page Down move in it, with Shift by years. */
export const Calendar = ({ title, value, min, max, onPick, onClose }: Props) => {
  const w = words.value;
  const id = useId();
  const today = dateOf(serviceNow());
  const at = useSignal(within(value || today, min, max));
  const grid = useRef<HTMLTableElement>(null);
  // The focus goes along with the keys, and to the chosen day when this opens.
  const isFollowed = useRef(true);
  useLayoutEffect(() => {
    if (isFollowed.current) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    isFollowed.current = false;
  }, [at.value]);
  const turns = [
    [w.yearBefore, '«', -12],
    [w.monthBefore, '‹', -1],
    [w.monthAfter, '›', 1],
    [w.yearAfter, '»', 12],
  ] as const;
  const [yearBack, back, on, yearOn] = turns.map(([name, sign, months]) => (
    <button
      key={name}
      type="button"
      class={style.turn}
      aria-label={name}
      onClick={() => (at.value = within(addMonths(at.value, months), min, max))}
    >
      {sign}
    </button>
  ));
  return (
    <AnyonesDialog title={title} narrow onClose={onClose}>
      <div class={style.month}>
        {yearBack}
        {back}
        <p id={id} class={style.monthName} aria-live="polite">
          {monthAndYear(at.value)}
        </p>
        {on}
        {yearOn}
      </div>
      <table
        ref={grid}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is what the practices of ARIA make of it
        role="grid"
        class={style.days}
        aria-labelledby={id}
        onKeyDown={(event) => {
          if (event.ctrlKey || event.metaKey || event.altKey) return;
          const to = dayByKey(at.value, event.key, event.shiftKey);
          if (to === null) return;
          event.preventDefault();
          isFollowed.current = true;
          at.value = within(to, min, max);
        }}
      >
        <thead>
          <tr>
            {anyWeek.map((day) => (
              <th key={day} scope="col" abbr={weekdayOf(day)}>
                {shortParts(day).weekday}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {listWeeks(at.value).map((week, row) => (
            <tr key={row}>
              {week.map((date, nth) =>
                date === null ? (
                  <td key={nth} />
                ) : (
                  <td key={nth}>
                    <button
                      type="button"
                      class={style.day}
                      tabIndex={date === at.value ? 0 : -1}
                      disabled={date < min || date > max}
                      aria-label={longDate(date)}
                      aria-pressed={date === value}
                      aria-current={date === today ? 'date' : undefined}
                      onClick={() => onPick(date)}
                    >
                      {Number(date.slice(8))}
                    </button>
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <Answers>
        <Button onClick={onClose}>{common.value.cancel}</Button>
        {within(today, min, max) === today && <Button onClick={() => onPick(today)}>{w.today}</Button>}
      </Answers>
    </AnyonesDialog>
  );
};
