// Pure: when the page may load itself again, so that it stays young and takes a new version.

const quietMs = 2 * 60_000;
const hourMs = 3_600_000;

/** The day that begins at three in the morning. */
const computeDay = (at: number, zone: string): string =>
  new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(at - 3 * hourMs);

export interface Moment {
  /** The service's clock, now and at the first answer. */
  now: number;
  since: number;
  zone: string;
  /** Whether a newer version waits. */
  isOutdated: boolean;
  /** The time of the last call; null: none. */
  lastCall: number | null;
  isSaying: boolean;
  /** Whether the service answers. If it does not, the page is not reloaded, since the reload might fail. */
  isFresh: boolean;
}

/** At three in the morning, or with a new version, after two minutes without a call. */
export const isTimeToReload = (moment: Moment): boolean => {
  const { now, since, zone, isOutdated, lastCall, isSaying, isFresh } = moment;
  if (isSaying || !isFresh || (lastCall !== null && now - lastCall < quietMs)) return false;
  return isOutdated || computeDay(now, zone) > computeDay(since, zone);
};
