// Pure: which bookings an archive may have, and pages of both databases as one.

/**
 * The shortest horizon in days: rules read the visits that were missed within a year, and the days between two visits, which are
 * a year at most; statistics and lists of today read nothing older.
 */
export const shortestHorizonDays = 400;

/** Whether some date of a range may have archived bookings. A clinic may have had a shorter horizon before. */
export const mayBeArchived = (fromInstant: number, now: number): boolean =>
  fromInstant < now - (shortestHorizonDays - 1) * 86_400_000;

type Compare<R> = (a: R, b: R) => number;

interface Sorted {
  id: string;
}

/** One page of two: a booking that is in both is that of the clinic's own database. */
export const mergePages = <A extends Sorted, B extends Sorted>(
  own: readonly A[],
  archived: readonly B[],
  compare: Compare<A | B>,
  limit: number,
): (A | B)[] => {
  const seen = new Set(own.map(({ id }) => id));
  return [...own, ...archived.filter(({ id }) => !seen.has(id))].sort(compare).slice(0, limit);
};

interface Started extends Sorted {
  startsAt: number;
}

/** The newest first, as the lists of a patient's bookings are. */
export const newestFirst: Compare<Started> = (a, b) => b.startsAt - a.startsAt || (a.id < b.id ? 1 : -1);

export const byId: Compare<Sorted> = (a, b) => (a.id < b.id ? -1 : 1);
