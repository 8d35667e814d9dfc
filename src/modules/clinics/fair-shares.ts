import { ClinicBusy } from './opener.ts';

interface Bounds {
  /** How many jobs run at once. */
  atOnce: number;
  /** How many of them may be one clinic's while others had jobs lately; a clinic that is alone may have all places. */
  besideOthers: number;
  /** How many of one clinic may wait; one more is refused. */
  waitingOfOneClinic: number;
  /** How many of a clinic's running jobs wait for something that has a queue of its own, and take nobody's place. */
  elsewhere?: (clinicId: string) => number;
  /** A monotonic clock, in milliseconds. */
  now?: () => number;
}

/** How long after its last job a clinic still counts as another one, in milliseconds. */
const latelyMs = 10_000;

interface FairShares {
  /** Runs a job when it is its clinic's turn; throws `ClinicBusy` if too many of that clinic wait. */
  run: <T>(clinicId: string, job: () => Promise<T>) => Promise<T>;
  /** The jobs of one clinic that run and that wait. */
  counts: (clinicId: string) => { running: number; waiting: number };
  stats: () => { running: number; waiting: number; refused: number };
}

interface Share {
  running: number;
  waiting: (() => void)[];
  /** The number of its last job that began, of all jobs. */
  servedAt: number;
}

/**
 * Divides places among clinics: while jobs of several clinics wait, one of each begins in turn, so that a clinic that
 * floods the service delays itself alone.
 */
export const createFairShares = ({
  atOnce,
  besideOthers,
  waitingOfOneClinic,
  elsewhere = () => 0,
  now = () => performance.now(),
}: Bounds): FairShares => {
  /** The clinics with jobs. */
  const shares = new Map<string, Share>();
  let running = 0;
  let waiting = 0;
  let refused = 0;
  let begun = 0;

  /** The clinic that came last, and the last one that was another. */
  let last = { clinicId: '', at: Number.NEGATIVE_INFINITY };
  let lastOther = last;
  const noteComing = (clinicId: string): void => {
    if (last.clinicId !== clinicId) lastOther = last;
    last = { clinicId, at: now() };
  };
  const isAlone = (clinicId: string): boolean =>
    (last.clinicId === clinicId ? lastOther : last).at < now() - latelyMs;

  /** Whether a place is free: jobs that wait elsewhere take none, of whichever clinic they are. */
  const isPlaceFree = (): boolean => {
    let apart = 0;
    for (const clinicId of shares.keys()) apart += elsewhere(clinicId);
    return running - apart < atOnce;
  };
  const mayBegin = (clinicId: string, share: Share): boolean =>
    share.running - elsewhere(clinicId) < (isAlone(clinicId) ? atOnce : besideOthers);
  const begin = (share: Share): void => {
    running += 1;
    begun += 1;
    share.running += 1;
    share.servedAt = begun;
  };
  /** The clinic that waits and whose last job began longest ago. */
  const findNext = (): Share | undefined => {
    let found: Share | undefined;
    for (const [clinicId, share] of shares)
      if (share.waiting.length > 0 && (found === undefined || share.servedAt < found.servedAt))
        if (mayBegin(clinicId, share)) found = share;
    return found;
  };
  const serveNext = (): void => {
    const share = waiting === 0 || !isPlaceFree() ? undefined : findNext();
    if (share === undefined) return;
    waiting -= 1;
    begin(share);
    share.waiting.shift()?.();
  };
  const end = (clinicId: string, share: Share): void => {
    running -= 1;
    share.running -= 1;
    if (share.running === 0 && share.waiting.length === 0) shares.delete(clinicId);
    serveNext();
  };

  return {
    run: async (clinicId, job) => {
      noteComing(clinicId);
      let share = shares.get(clinicId);
      if (share === undefined) {
        share = { running: 0, waiting: [], servedAt: 0 };
        shares.set(clinicId, share);
      }
      const own = share;
      // Since the last job ended some may have begun to wait elsewhere.
      serveNext();
      if (own.waiting.length === 0 && isPlaceFree() && mayBegin(clinicId, own)) begin(own);
      else if (own.waiting.length >= waitingOfOneClinic) {
        refused += 1;
        throw new ClinicBusy('too many requests of this clinic wait');
      } else {
        waiting += 1;
        await new Promise<void>((resolve) => own.waiting.push(resolve));
      }
      try {
        return await job();
      } finally {
        end(clinicId, own);
      }
    },
    counts: (clinicId) => {
      const share = shares.get(clinicId);
      return { running: share?.running ?? 0, waiting: share?.waiting.length ?? 0 };
    },
    stats: () => ({ running, waiting, refused }),
  };
};
