/** A clock that a test turns: whatever is due happens in its order, and what it sets off has time to settle. */
export const turnable = () => {
  let now = 0;
  let nth = 0;
  const due = new Map<number, { at: number; then: () => void }>();
  return {
    now: () => now,
    after: (ms: number, then: () => void) => {
      const id = ++nth;
      due.set(id, { at: now + ms, then });
      return () => void due.delete(id);
    },
    pending: () => due.size,
    turn: async (ms: number) => {
      const until = now + ms;
      for (;;) {
        for (let settle = 0; settle < 8; settle++) await Promise.resolve();
        const [next] = [...due]
          .filter(([, { at }]) => at <= until)
          .sort((a, b) => a[1].at - b[1].at || a[0] - b[0]);
        if (next === undefined) break;
        now = Math.max(now, next[1].at);
        due.delete(next[0]);
        next[1].then();
      }
      now = until;
    },
  };
};
