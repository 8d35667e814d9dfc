// Whether the pages cost what they may: each figure with its bound decides the exit code of the measurement.

export interface Figure {
  page: string;
  name: string;
  measured: number;
  /** Scores have a least, all else has a most. */
  least?: number;
  most?: number;
}

/** A figure that could not be measured keeps no bound. */
const isKept = ({ measured, least, most }: Figure): boolean =>
  (least === undefined || measured >= least) && (most === undefined || measured <= most);

/** What is not as it has to be, a sentence each. */
export const brokenBounds = (figures: readonly Figure[]): string[] =>
  figures
    .filter((one) => !isKept(one))
    .map(({ page, name, measured, least, most }) => {
      const bound = least === undefined ? `at most ${most}` : `at least ${least}`;
      return `${page}: ${name} ${Number(measured.toFixed(3))}, ${bound}`;
    });
