// When an object wakes by itself: for the earliest thing that is due, and not at all while nothing is.

/** A write may have made something due: the object wakes after so long, in case nothing is left of it that knows. */
const unsettledMs = 60_000;
/** So soon after a write it is determined when something is due; further writes until then cost nothing more. */
const settleMs = 250;
/** What is due already begins so soon; what stays due after a round waits for so long. */
const soonMs = 1_000;
const againMs = 60_000;

interface Parts {
  /** The alarm of the platform; setting it belongs to the step that is written in the same moment. */
  storage: {
    setAlarm(at: number): Promise<void>;
    deleteAlarm(): Promise<void>;
  };
  /** The alarm as it stood when the object was opened. */
  standing: number | null;
  clock: () => number;
  /** When something is due next, by the database; infinite if nothing is. */
  readNextAt: () => Promise<number>;
  /** Lets work go on after the answer. */
  background: (work: Promise<unknown>) => void;
  pause?: (ms: number) => Promise<unknown>;
}

const pauseByTimer = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export interface Alarm {
  /** Called in the same moment as a step that writes, before it. */
  wrote: () => void;
  /** Called after a round, with the time at which something is due next. */
  ran: (nextAt: number) => Promise<void>;
  /** Called when the platform has woken the object: the alarm is spent. */
  woken: () => void;
  /** Determines now when something is due. */
  settle: () => Promise<void>;
}

export const createAlarm = ({
  storage,
  standing,
  clock,
  readNextAt,
  background,
  pause = pauseByTimer,
}: Parts): Alarm => {
  let wakesAt = standing;
  let restsUntil = 0;
  let writes = 0;
  let isPlanned = false;

  const setTo = async (nextAt: number): Promise<void> => {
    if (!Number.isFinite(nextAt)) {
      if (wakesAt === null) return;
      wakesAt = null;
      return storage.deleteAlarm();
    }
    const at = Math.max(nextAt, clock() + soonMs, nextAt <= clock() ? restsUntil : 0);
    if (wakesAt === at) return;
    wakesAt = at;
    await storage.setAlarm(at);
  };
  const settle = async (): Promise<void> => {
    const before = writes;
    const nextAt = await readNextAt();
    if (writes === before) await setTo(nextAt);
  };
  const settleLater = async (): Promise<void> => {
    let before: number;
    do {
      before = writes;
      await pause(settleMs);
    } while (before !== writes);
    isPlanned = false;
    await settle();
  };

  return {
    wrote: () => {
      writes += 1;
      const latest = clock() + unsettledMs;
      if (wakesAt === null || wakesAt > latest) {
        wakesAt = latest;
        // Not awaited: so it is one step with what is written now.
        void storage.setAlarm(latest);
      }
      if (isPlanned) return;
      isPlanned = true;
      background(settleLater());
    },
    ran: async (nextAt) => {
      restsUntil = clock() + againMs;
      await setTo(nextAt);
    },
    woken: () => {
      wakesAt = null;
    },
    settle,
  };
};
