// Whether the pages cost what they may: each figure with its bound decides the exit code of the measurement.

export interface Figure {
  page: string;
  name: string;
  measured: number;
  /** Scores have a minimum, all else has a maximum. */
  min?: number;
  max?: number;
}

/** A figure that could not be measured (NaN) is within no bound. */
const isWithinBounds = ({ measured, min, max }: Figure): boolean =>
  (min === undefined || measured >= min) && (max === undefined || measured <= max);

/** The figures that break their bound, a line each. */
export const brokenBounds = (figures: readonly Figure[]): string[] =>
  figures
    .filter((one) => !isWithinBounds(one))
    .map(({ page, name, measured, min, max }) => {
      const bound = min === undefined ? `at most ${max}` : `at least ${min}`;
      return `${page}: ${name} ${Number(measured.toFixed(3))}, ${bound}`;
    });
