import { effect, signal } from '@preact/signals';
import { around } from '../shared/api/resource.ts';
import { renew, session, startSession } from '../shared/api/session.ts';
import { Refused } from '../shared/api/take.ts';

/** Why the session is unknown; null during the first request, and once it is known. */
export const startFailure = signal<Error | null>(null);

let tries = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

// The browser may be online while the service is not: the request is repeated in both cases, at growing intervals.
const failed = (error: Error): void => {
  if (session.peek().kind !== 'unknown') return;
  startFailure.value = error;
  const told = error instanceof Refused ? (error.retryAfter ?? 0) * 1_000 : 0;
  clearTimeout(timer);
  timer = setTimeout(ask, Math.max(told, around(Math.min(1_000 * 2 ** tries, 30_000))));
  tries += 1;
};

const ask = (): void => {
  clearTimeout(timer);
  renew().catch(failed);
};

/** The same at once, at a person's request. */
export const askAgain = (): void => {
  startFailure.value = null;
  ask();
};

/** Finds out who this is, now and whenever that is unknown again. */
export const start = (): void => {
  startSession('pasien').catch(() => {});
  effect(() => {
    const isKnown = session.value.kind !== 'unknown';
    clearTimeout(timer);
    tries = 0;
    if (isKnown) startFailure.value = null;
    else ask();
  });
  addEventListener('online', () => session.peek().kind === 'unknown' && ask());
};
