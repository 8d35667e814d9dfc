interface Turn {
  at: number;
  come: () => void;
}

/**
 * A simulated clock that several processes share: when nothing else runs, it jumps to the next instant that a timer
 * waits for. Queries to a real database take no simulated time.
 */
export const driveTime = (start: number) => {
  let now = start;
  let asked = 0;
  let isLooking = false;
  let turns: Turn[] = [];

  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    // A process that has just got an answer continues first.
    await new Promise((resolve) => setImmediate(resolve));
    isLooking = false;
    if (asked > 0 || turns.length === 0) return;
    now = Math.min(...turns.map(({ at }) => at));
    const come = turns.filter(({ at }) => at === now);
    turns = turns.filter(({ at }) => at > now);
    for (const turn of come) turn.come();
    void look();
  };

  return {
    now: () => now,

    /** Ends so long after now. */
    after: (ms: number): Promise<void> =>
      new Promise((come) => {
        turns.push({ at: now + ms, come });
        void look();
      }),

    /** Until this is answered, no time passes. */
    holding: async <R>(work: Promise<R>): Promise<R> => {
      asked += 1;
      try {
        return await work;
      } finally {
        asked -= 1;
        void look();
      }
    },
  };
};
