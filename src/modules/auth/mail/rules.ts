import { hourMs } from '../../../core/clinic/durations.ts';

/** How long an attempt may take, in milliseconds; after that it counts as failed. */
export const leaseMs = 60_000;

export const maxMailsAtOnce = 10;

/** How many rounds one run makes; the rest waits for the next run. */
export const maxRounds = 5;

/** The pause after failed attempt number `attempt`, counted from 1: 15 seconds, then doubling, an hour at most. */
export const pauseAfter = (attempt: number): number => Math.min(hourMs, 15_000 * 2 ** (attempt - 1));

/** The token as the mail shows it: by itself, or in the fragment of a link, which browsers do not send to a server. */
export const formatToken = (token: string, resetPage: string | undefined): string =>
  resetPage === undefined ? token : `${resetPage}#token=${token}`;

/** The link with the code in its fragment, which browsers do not send to a server; null if no page is configured. */
export const proofLink = (code: string, page: string | undefined): string | null =>
  page === undefined ? null : `${page}#code=${code}`;

// Anyone can register with someone else's e-mail and any name, so the greeting must never contain a link.
const linkLike = /[/@:\\\p{C}\p{Zl}\p{Zp}]|[.\u3002\uff0e\uff61]\p{L}{2}/u;

/** The name to greet with; null without one, or if a mail program could show it as a link or otherwise as more than a name. */
export const greetedName = (name: string): string | null =>
  name === '' || linkLike.test(name) ? null : name;
