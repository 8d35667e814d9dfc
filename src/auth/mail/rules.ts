/** An attempt that has not ended by then is taken for lost, in milliseconds. */
export const leaseMs = 60_000;

export const mostMailsAtOnce = 10;

const mostAttempts = 10;

/** The pause after a failed attempt, the first being 1: 15 seconds, doubling; null when it was the last one. */
export const pauseAfter = (attempt: number): number | null =>
  attempt >= mostAttempts ? null : Math.min(15 * 60_000, 15_000 * 2 ** (attempt - 1));

/** How a mail gives its reader the token: at the end of a link, where no server sees it, or by itself. */
export const keyOf = (token: string, resetPage: string | undefined): string =>
  resetPage === undefined ? token : `${resetPage}#token=${token}`;
