import { execFileSync } from 'node:child_process';

const commits = (): number => Number(execFileSync('git', ['rev-list', '--count', 'HEAD']));

/**
 * Which of many are examined now: every `share`-th, from one that the number of commits gives, so that as many commits
 * come to all of them. With 1 it is each.
 */
export const inShare = (share: number): ((at: number) => boolean) => {
  if (!Number.isInteger(share) || share < 1) throw new Error(`--share ${share} is no whole number above 0.`);
  const first = share === 1 ? 0 : commits() % share;
  return (at) => at % share === first;
};

/** In which of so many rounds all shares are examined now: the next one begins when each share had its turn. */
export const roundOfShares = (share: number, rounds: number): number =>
  Math.floor(commits() / share) % rounds;
