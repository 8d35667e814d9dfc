import { ClinicBusy } from './opener.ts';

interface Bounds {
  /** How many jobs run at once. */
  atOnce: number;
  /** How many of them may be one clinic's. */
  ofOneClinic: number;
  /** How many of one clinic may wait; one more is refused. */
  waitingOfOneClinic: number;
  /** How many of a clinic's running jobs wait for something that has a queue of its own, and take nobody's place. */
  elsewhere?: (clinicId: string) => number;
}

export interface FairShares {
  /** Runs a job when it is its clinic's turn; throws `ClinicBusy` if too many of that clinic wait. */
  run: <T>(clinicId: string, job: () => Promise<T>) => Promise<T>;
  /** The jobs of one clinic that run and that wait. */
  counts: (clinicId: string) => { running: number; waiting: number };
  stats: () => { running: number; waiting: number; refused: number };
}

interface Share {
  running: number;
  waiting: (() => void)[];
}

/**
 * Divides places among clinics: while jobs of several clinics wait, one of each begins in turn, so that a clinic that
 * floods the service delays itself alone.
 */
export const createFairShares = ({
  atOnce,
  ofOneClinic,
  waitingOfOneClinic,
  elsewhere = () => 0,
}: Bounds): FairShares => {
  /** The clinics with jobs; those that wait are asked in this order, and the one that was served goes to its end. */
  const shares = new Map<string, Share>();
  let running = 0;
  let waiting = 0;
  let refused = 0;

  const mayBegin = (clinicId: string, share: Share): boolean => {
    const apart = elsewhere(clinicId);
    return running - apart < atOnce && share.running - apart < ofOneClinic;
  };
  const begin = (share: Share): void => {
    running += 1;
    share.running += 1;
  };
  const serveNext = (): void => {
    if (waiting === 0) return;
    for (const [clinicId, share] of shares) {
      if (share.waiting.length === 0 || !mayBegin(clinicId, share)) continue;
      const next = share.waiting.shift();
      waiting -= 1;
      shares.delete(clinicId);
      shares.set(clinicId, share);
      begin(share);
      next?.();
      return;
    }
  };
  const end = (clinicId: string, share: Share): void => {
    running -= 1;
    share.running -= 1;
    if (share.running === 0 && share.waiting.length === 0) shares.delete(clinicId);
    serveNext();
  };

  return {
    run: async (clinicId, job) => {
      let share = shares.get(clinicId);
      if (share === undefined) {
        share = { running: 0, waiting: [] };
        shares.set(clinicId, share);
      }
      const own = share;
      if (own.waiting.length === 0 && mayBegin(clinicId, own)) begin(own);
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
