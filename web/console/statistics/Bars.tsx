import { setup } from '../words/settings.ts';
import { minutes, type Numbers, shareInWords } from './rows.ts';
import style from './Statistics.module.css';

/** A part of a whole in one bar, whose length is the whole beside the longest of all rows; the words say both. */
export const Share = ({ part, whole, most }: { part: number; whole: number; most: number }) => (
  <span class={style.barred}>
    <svg class={style.picture} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect class={style.whole} width={most === 0 ? 0 : (100 * whole) / most} height="10" />
      <rect
        class={part > whole ? style.over : style.part}
        width={most === 0 ? 0 : (100 * part) / most}
        height="10"
      />
    </svg>
    <span>{shareInWords(part, whole)}</span>
  </span>
);

/** The longest bar among rows. */
export const mostSeats = (rows: readonly Numbers[]): number =>
  Math.max(0, ...rows.flatMap((row) => [row.offered_seats, row.booked_seats]));

type Measure = 'waiting' | 'visit';

const spreadOf = (row: Numbers, measure: Measure) => ({
  p10: row[`${measure}_minutes_p10`],
  p25: row[`${measure}_minutes_p25`],
  median: row[`${measure}_minutes_median`],
  p75: row[`${measure}_minutes_p75`],
  p90: row[`${measure}_minutes_p90`],
});

/** The longest time that is drawn among rows, in minutes. */
export const mostMinutes = (rows: readonly Numbers[], measure: Measure): number =>
  Math.max(0, ...rows.map((row) => spreadOf(row, measure).p90 ?? 0));

/** How long it took: half of all within the box, eight of ten within the line, the median as a mark. */
export const Spread = ({ row, measure, most }: { row: Numbers; measure: Measure; most: number }) => {
  const { p10, p25, median, p75, p90 } = spreadOf(row, measure);
  if (p10 === null || p25 === null || median === null || p75 === null || p90 === null)
    return <>{setup.value.statistics.none}</>;
  const at = (value: number) => (most === 0 ? 0 : (100 * value) / most);
  return (
    <span class={style.barred}>
      <svg class={style.picture} viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <line class={style.whisker} x1={at(p10)} x2={at(p90)} y1="5" y2="5" />
        <rect class={style.box} x={at(p25)} width={Math.max(1, at(p75) - at(p25))} height="10" />
        <line class={style.median} x1={at(median)} x2={at(median)} y1="0" y2="10" />
      </svg>
      <span>{setup.value.statistics.spread(minutes(median), minutes(p25), minutes(p75), minutes(p90))}</span>
    </span>
  );
};
