// Pure: whether the service is overloaded, and how many requests may then be in progress at once.

/** The load measured at one moment. */
export interface Look {
  /** Milliseconds that never run backwards. */
  now: number;
  /** How long work waited for its turn, in milliseconds. */
  delayMs: number;
  /** Requests that are being answered. */
  inFlight: number;
  /** Requests that came since the start. */
  arrived: number;
  /** Whether one was refused since the last look. */
  hasRefused: boolean;
}

export interface Load {
  /** The smoothed waiting time: a single late measurement, as after a garbage collection, changes it little. */
  delayMs: number;
  /** How many requests may be in progress; null while all are accepted. */
  limit: number | null;
  /** Since when work has waited too long at every look, and what had arrived until then. */
  standing: { since: number; arrived: number } | null;
  /** When a request was last refused. */
  refusedAt: number;
}

export const calm: Load = {
  delayMs: 0,
  limit: null,
  standing: null,
  refusedAt: Number.NEGATIVE_INFINITY,
};

/** A queue that lasts this long is no longer a burst (RFC 8289, 4.3: the interval). */
const standingMs = 100;
/** This many requests may come at once, such as for a last seat, and wait as long as necessary. */
const crowd = 512;
/** The size of a shared commit: with fewer requests each write would cost more, and more of them would wait. */
const leastInFlight = 64;
const calmAfterMs = 10_000;
const weight = 0.3;
const step = 0.05;

/** The ratio of in-flight requests to waiting time equals the ratio of the limit to the target (Little's law). */
const limitFor = (inFlight: number, delayMs: number, targetMs: number): number =>
  Math.max(leastInFlight, (inFlight * targetMs) / delayMs);

const adjusted = (limit: number, isLate: boolean, wasFull: boolean): number => {
  if (isLate) return Math.max(leastInFlight, limit * (1 - step));
  return wasFull ? limit * (1 + step) : limit;
};

/** The load after one more look. Once it is too much it stays limited until nothing was refused for a while. */
export const judge = (load: Load, look: Look, targetMs: number): Load => {
  const { now, inFlight, arrived, hasRefused } = look;
  const delayMs = load.delayMs + weight * (look.delayMs - load.delayMs);
  const isLate = delayMs > targetMs;
  const seen = { delayMs, refusedAt: hasRefused ? now : load.refusedAt };
  if (load.limit !== null) {
    if (!isLate && now - seen.refusedAt >= calmAfterMs) return { ...seen, limit: null, standing: null };
    return { ...seen, limit: adjusted(load.limit, isLate, hasRefused), standing: null };
  }
  if (!isLate) return { ...seen, limit: null, standing: null };
  const standing = load.standing ?? { since: now, arrived };
  const isTooMuch = now - standing.since >= standingMs && arrived - standing.arrived >= crowd;
  // A few waiting requests are a sign of a slow machine, and are not refused.
  if (!isTooMuch || inFlight <= leastInFlight) return { ...seen, limit: null, standing };
  return { ...seen, refusedAt: now, limit: limitFor(inFlight, delayMs, targetMs), standing: null };
};
