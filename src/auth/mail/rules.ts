/** In milliseconds: an attempt that has not ended by then counts as lost. */
export const leaseMs = 60_000;

export const maxMailsAtOnce = 10;

/** How many rounds one sender makes before it leaves the rest to the next run. */
export const maxRounds = 5;

const maxAttempts = 10;

/** The pause after a failed attempt, the first being 1: 15 seconds, doubling; null when it was the last one. */
export const pauseAfter = (attempt: number): number | null =>
  attempt >= maxAttempts ? null : Math.min(15 * 60_000, 15_000 * 2 ** (attempt - 1));

/** How a mail gives its reader the token: at the end of a link, where no server sees it, or by itself. */
export const keyOf = (token: string, resetPage: string | undefined): string =>
  resetPage === undefined ? token : `${resetPage}#token=${token}`;

/** The link that carries a code to the page where it is entered, where no server sees it; null without a page. */
export const proofLink = (code: string, page: string | undefined): string | null =>
  page === undefined ? null : `${page}#code=${code}`;

// Anyone can register with someone else's e-mail and any name, so the greeting must never contain a link.
const linkLike = /[/@:\\\p{C}\p{Zl}\p{Zp}]|[.\u3002\uff0e\uff61]\p{L}{2}/u;

/** The name to greet with; null if a mail program could show it as a link or otherwise as more than a name. */
export const greetedName = (name: string): string | null => (linkLike.test(name) ? null : name);
