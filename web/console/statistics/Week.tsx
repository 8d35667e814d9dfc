import { inDigits } from '../../shared/number.ts';
import { wholeHour } from '../../shared/time.ts';
import { setup } from '../words/settings.ts';
import style from './Statistics.module.css';

interface Hour {
  weekday?: number | undefined;
  hour?: number | undefined;
  offered_seats: number;
  booked_seats: number;
}

/** Which hours of the week are full: how many seats are taken of those offered, the fuller the darker. */
export const Week = ({ rows }: { rows: readonly Hour[] }) => {
  const { weekdays } = setup.value.schedules;
  const hours = [...new Set(rows.map(({ hour = 0 }) => hour))].sort((one, other) => one - other);
  const of = (weekday: number, hour: number) =>
    rows.find((row) => row.weekday === weekday && row.hour === hour);
  return (
    <>
      {/* Not in the table, which may be wider than the window: it would be cut with it. */}
      <h2 id="jam-pekan">{setup.value.statistics.weekCaption}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it where it is wider than the window. */}
      <section class={style.wide} aria-labelledby="jam-pekan" tabIndex={0}>
        <table class={style.week} aria-labelledby="jam-pekan">
          <thead>
            <tr>
              <th scope="col">{setup.value.statistics.bys.hour}</th>
              {weekdays.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {hours.map((hour) => (
              <tr key={hour}>
                <th scope="row">{wholeHour(hour)}</th>
                {weekdays.map((name, nth) => {
                  const found = of(nth + 1, hour);
                  if (found === undefined) return <td key={name}>{setup.value.statistics.none}</td>;
                  const { booked_seats: booked, offered_seats: offered } = found;
                  const part = Math.min(1, booked / Math.max(offered, 1));
                  return (
                    <td key={name} style={{ '--part': part }}>
                      {inDigits(booked)}/{inDigits(offered)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
};
