import { inDigits } from '../../shared/number.ts';
import look from '../ui/page.module.css';
import { setup } from '../words/settings.ts';
import { minutes, type Numbers, shareInWords } from './rows.ts';
import style from './Statistics.module.css';

const listFigures = (now: Numbers, before: Numbers | undefined) => {
  const { figures } = setup.value.statistics;
  const of = (read: (one: Numbers) => string) => ({
    now: read(now),
    before: before === undefined ? null : read(before),
  });
  return [
    [figures.booked, of((one) => shareInWords(one.booked_seats, one.offered_seats))],
    [figures.completed, of((one) => inDigits(one.completed))],
    [figures.noShows, of((one) => inDigits(one.no_shows))],
    [figures.waiting, of((one) => minutes(one.waiting_minutes_median))],
  ] as const;
};

/** Four figures, each with that of the period before. */
export const Figures = ({ now, before }: { now: Numbers; before: Numbers | undefined }) => (
  <dl class={style.figures}>
    {listFigures(now, before).map(([name, value]) => (
      <div key={name} class={look.card}>
        <dt class={look.soft}>{name}</dt>
        <dd class={style.figure}>{value.now}</dd>
        <dd class={look.soft}>{value.before === null ? '' : setup.value.statistics.before(value.before)}</dd>
      </div>
    ))}
  </dl>
);
