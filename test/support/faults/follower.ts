import { setTimeout as sleep } from 'node:timers/promises';

/** An event as a reader of the feed got it. */
export interface Told {
  sequence: number;
  type: string;
  booking_id: string;
}

interface Page {
  data: Told[];
  meta: { sequence: number; more: boolean };
}

/**
 * Reads the changes from the first on, page by page, for as long as others write and until nothing more follows; where
 * a server is gone, asks the next one from where it was.
 */
export const follow = (bases: () => readonly string[], token: string, limit: number) => {
  const told: Told[] = [];
  let after = 0;
  let asked = 0;
  let interrupted = 0;
  let isOver = false;

  const read = async (): Promise<Page | null> => {
    asked += 1;
    const all = bases();
    const url = `${all[asked % all.length]}/v1/bookings/changes?after=${after}&limit=${limit}`;
    try {
      const headers = { Authorization: `Bearer ${token}` };
      const response = await fetch(url, { headers, signal: AbortSignal.timeout(10_000) });
      if (response.status === 200) return (await response.json()) as Page;
      if (response.status !== 503) throw new Error(`The feed answered ${response.status}`);
      await response.text();
    } catch (error) {
      if (String(error).includes('The feed answered')) throw error;
      interrupted += 1;
    }
    return null;
  };

  const run = async (): Promise<void> => {
    while (true) {
      const isLast = isOver;
      const page = await read();
      if (page === null) {
        await sleep(20);
        continue;
      }
      told.push(...page.data);
      after = page.meta.sequence;
      if (page.meta.more) continue;
      if (isLast) return;
      await sleep(2);
    }
  };
  const running = run();
  // Judged when it is awaited, which is later than it may fail.
  running.catch(() => {});
  return {
    /** How much was read, and how often a server was gone in the middle of it. */
    counts: () => ({ asked, told: told.length, interrupted }),
    /** Once nobody writes any more: reads to the end. */
    finish: async (): Promise<readonly Told[]> => {
      isOver = true;
      await running;
      return told;
    },
  };
};
