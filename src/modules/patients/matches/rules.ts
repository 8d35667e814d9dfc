import type { Match } from './queries.ts';

/** Pure: whether a match can no longer be confirmed. It was declined, or account and record differ by now. */
export const isOver = ({
  decision,
  settledAt,
  holds,
}: Pick<Match, 'decision' | 'settledAt' | 'holds'>): boolean =>
  decision === 'declined' || settledAt !== null || holds !== 1;
