import { keyOf, type Queue } from './queue.ts';

const rowsShown = 5;
const pageMs = 12_000;

/** Rows of a screen by pages of about the same length, none longer than five. */
export const splitPages = <Q>(queues: readonly Q[]): Q[][] => {
  const count = Math.ceil(queues.length / rowsShown);
  const size = Math.ceil(queues.length / Math.max(1, count));
  return Array.from({ length: count }, (_, nth) => queues.slice(nth * size, (nth + 1) * size));
};

/** Which page is shown: each for twelve seconds; that of the queue that is being called, while it is. */
export const pageAt = (pages: readonly Queue[][], now: number, called: string | null): number => {
  if (pages.length <= 1) return 0;
  const own = called === null ? -1 : pages.findIndex((page) => page.some((queue) => keyOf(queue) === called));
  return own >= 0 ? own : Math.floor(now / pageMs) % pages.length;
};

/** The next patients: those who are present, in order; if none is present, those on the list. */
export const listNext = ({ waiting }: Pick<Queue, 'waiting'>, most: number): string[] => {
  const there = waiting.filter(({ is_there }) => is_there);
  return (there.length > 0 ? there : waiting).slice(0, most).map(({ label }) => label);
};

/** The doctor without the degrees behind the name: a row has no space for them. */
export const shortName = (name: string): string => name.split(',')[0]?.trim() ?? name;

/** How many of the next patients fit into a row, beside the number or, with up to three rows, below it. */
export const nextShown = ({ calls, waiting }: Pick<Queue, 'calls' | 'waiting'>, rows: number): number => {
  const longest = Math.max(...[...calls, ...waiting].map(({ label }) => label.length), 0);
  return longest > (rows > 3 ? 4 : 5) ? 1 : 2;
};
