// Lighthouse's scores of a page, in a browser that is already open.

import lighthouse from 'lighthouse';
import { median } from './load.ts';

const categories = ['performance', 'accessibility', 'best-practices'] as const;
type Category = (typeof categories)[number];

export interface Scores extends Record<Category, number> {
  /** The audits that reduced the score, except for the timings. */
  lost: string[];
  blockedMs: number;
  shift: number;
}

/** Tries of one page: now and then Lighthouse misses its beginning and says so. */
const maxTries = 3;

const once = async (url: string, port: number, tries = 1): Promise<Scores> => {
  // A phone on slow 4G with a CPU four times as slow, simulated: Lighthouse's own profile.
  const ran = await lighthouse(url, { port, onlyCategories: [...categories], logLevel: 'error' });
  if (ran === undefined) throw new Error(`Lighthouse says nothing of ${url}.`);
  const { categories: found, audits, runtimeError } = ran.lhr;
  if (runtimeError !== undefined) {
    if (tries < maxTries) return once(url, port, tries + 1);
    throw new Error(`${url}: ${runtimeError.message}`);
  }
  const score = (name: Category) => Math.round((found[name]?.score ?? 0) * 100);
  const judged = categories
    .filter((name) => name !== 'performance')
    .flatMap((name) => found[name]?.auditRefs.filter(({ weight }) => weight > 0) ?? []);
  const lost = judged.map(({ id }) => id).filter((id) => (audits[id]?.score ?? 1) < 1);
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    'best-practices': score('best-practices'),
    lost,
    blockedMs: audits['total-blocking-time']?.numericValue ?? Number.NaN,
    shift: audits['cumulative-layout-shift']?.numericValue ?? Number.NaN,
  };
};

/** The medians of some runs. */
export const scoresOf = async (url: string, port: number, runs: number): Promise<Scores> => {
  const all: Scores[] = [];
  for (let run = 0; run < runs; run++) all.push(await once(url, port));
  const middle = (of: (scores: Scores) => number) => median(all.map(of));
  return {
    performance: middle((one) => one.performance),
    accessibility: middle((one) => one.accessibility),
    'best-practices': middle((one) => one['best-practices']),
    lost: [...new Set(all.flatMap((one) => one.lost))],
    blockedMs: middle((one) => one.blockedMs),
    shift: middle((one) => one.shift),
  };
};
