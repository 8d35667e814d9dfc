import { Check, Field, Select } from '../../shared/ui/Field.tsx';
import { today } from '../data/clinic.ts';
import look from '../ui/page.module.css';
import { shortDate } from '../ui/when.ts';
import { further } from '../words/follow-up.ts';
import style from './Series.module.css';
import type { SeriesForm } from './useSeries.ts';

const conflicts = ['fail', 'skip', 'nearest'] as const;

/** The recurrence of the series, and its dates. */
export const Pattern = ({ form, dates }: { form: SeriesForm; dates: readonly string[] }) => {
  const text = further.value.series;
  const { values, bind, set } = form;
  const chosen = new Set(values.weekdays.split(',').filter(Boolean));
  const toggle = (day: string): void => {
    const next = new Set(chosen);
    if (!next.delete(day)) next.add(day);
    set({ weekdays: [...next].sort().join() });
  };
  return (
    <>
      <Select {...bind('pattern')}>
        <option value="every">{text.every}</option>
        <option value="weekdays">{text.weekdays}</option>
      </Select>
      {values.pattern === 'every' ? (
        <Field {...bind('every_days')} type="number" min={1} max={92} hint={text.daysHint} />
      ) : (
        <fieldset class={style.days}>
          <legend class="aloud">{text.weekdays}</legend>
          {text.weekdayNames.map((name, at) => (
            <Check
              key={name}
              label={name}
              checked={chosen.has(String(at + 1))}
              onChange={() => toggle(String(at + 1))}
            />
          ))}
        </fieldset>
      )}
      <Field {...bind('count')} type="number" min={1} max={26} hint={text.countHint} />
      <Select {...bind('on_conflict')}>
        {conflicts.map((one) => (
          <option key={one} value={one}>
            {text.conflicts[one]}
          </option>
        ))}
      </Select>
      {dates.length > 0 && (
        <div>
          <p class={look.strong}>{text.preview(dates.length)}</p>
          <ul class={style.dates}>
            {dates.map((date) => (
              <li key={date}>{shortDate(date, today())}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
};
