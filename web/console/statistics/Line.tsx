import { Select } from '../../shared/ui/Field.tsx';
import look from '../ui/page.module.css';
import { setup } from '../words/settings.ts';
import { type Figure, figureNames, figures, figureText, type RowOf, rowName } from './rows.ts';
import style from './Statistics.module.css';

const [width, height] = [600, 160];

interface Drawn {
  figure: Figure;
  now: readonly RowOf[];
  before: readonly RowOf[];
}

/** What the picture shows, for who cannot see it: first, last and highest. */
const inWords = ({ figure, now }: Drawn): string => {
  const text = setup.value.statistics;
  const read = figures[figure];
  const said = (row: RowOf | undefined) =>
    row === undefined ? text.none : `${figureText(figure, read(row))} (${rowName(row)})`;
  const highest = now.reduce<RowOf | undefined>(
    (best, row) => (best === undefined || (read(row) ?? 0) > (read(best) ?? 0) ? row : best),
    undefined,
  );
  return text.lineInWords(said(now[0]), said(now.at(-1)), said(highest));
};

/** A figure over time, with the period before as a dashed line. */
export const Picture = (drawn: Drawn) => {
  const { figure, now, before } = drawn;
  const text = setup.value.statistics;
  const read = figures[figure];
  const most = Math.max(1, ...[...now, ...before].map((row) => read(row) ?? 0));
  const at = (nth: number) => (now.length < 2 ? width / 2 : (nth * width) / (now.length - 1));
  const placePoints = (rows: readonly RowOf[]) =>
    rows.slice(0, now.length).flatMap((row, nth) => {
      const value = read(row);
      return value === null ? [] : [{ x: at(nth), y: height - (height * value) / most, row, value }];
    });
  const path = (rows: readonly RowOf[]) =>
    placePoints(rows)
      .map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`)
      .join(' ');
  return (
    <figure class={style.figureBox}>
      <svg
        class={style.line}
        viewBox={`-6 -6 ${width + 12} ${height + 12}`}
        role="img"
        aria-label={inWords(drawn)}
      >
        <line class={style.axis} x1="0" x2={width} y1={height} y2={height} />
        <line class={style.axis} x1="0" x2={width} y1="0" y2="0" />
        <polyline class={style.earlier} points={path(before)} />
        <polyline class={style.present} points={path(now)} />
        {placePoints(now).map(({ x, y, row, value }) => (
          <circle key={rowName(row)} class={style.point} cx={x} cy={y} r="4">
            <title>{`${rowName(row)}: ${figureText(figure, value)}`}</title>
          </circle>
        ))}
      </svg>
      <figcaption class={style.legend}>
        <span class={style.keyNow}>{text.now}</span>
        <span class={style.keyBefore}>{text.earlier}</span>
        <span>{text.scale(figureText(figure, most))}</span>
      </figcaption>
    </figure>
  );
};

interface Props extends Drawn {
  onChoose: (figure: Figure) => void;
}

/** The picture with the choice of what it shows. */
export const Line = ({ onChoose, ...drawn }: Props) => {
  const text = setup.value.statistics;
  return (
    <section class={look.card} aria-label={text.line}>
      <div class={look.fields}>
        <Select
          label={text.line}
          value={drawn.figure}
          onChange={(event) => onChoose(event.currentTarget.value as Figure)}
        >
          {figureNames.map((one) => (
            <option key={one} value={one}>
              {text.figures[one]}
            </option>
          ))}
        </Select>
      </div>
      <Picture {...drawn} />
    </section>
  );
};
