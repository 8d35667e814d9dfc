import { hourMs, minuteMs, secondMs } from '../../../core/clinic/durations.ts';

/** The longest wait, in milliseconds: 15 minutes. */
export const longestWaitMs = 15 * minuteMs;

/** How often something may be tried. A counter drains by one attempt every `drainMs`. */
export interface Policy {
  /** The number of attempts without a wait. */
  free: number;
  /** The wait after the last free attempt; it doubles with every further attempt. */
  firstWaitMs: number;
  drainMs: number;
  /** The longest wait, where that is not 15 minutes. */
  longestMs?: number;
}

/** The scope within which attempts are counted together. */
type Scope = 'pair' | 'account' | 'network' | 'site';

/** The throttled actions. Every endpoint that checks a password uses the counters of `login`. */
export type Act =
  | 'login'
  | 'register'
  | 'refresh'
  | 'forgot'
  | 'reset'
  | 'email-code'
  | 'email-verify'
  | 'login-code'
  | 'login-code-verify'
  | 'phone-code'
  | 'sso'
  | 'hold'
  | 'claim'
  | 'second-factor'
  | 'api-key'
  | 'check-in';

interface Policies extends Readonly<Record<Exclude<Scope, 'site'>, Policy>> {
  /** For all networks of one IPv6 /48 together, because a single customer may have thousands of networks. */
  site?: Policy;
}

/** A network may be a whole clinic or all customers of a carrier, so its limits are far higher than an account's. */
export const policies: Readonly<Record<Act, Policies>> = {
  login: {
    pair: { free: 5, firstWaitMs: 30 * secondMs, drainMs: 30 * minuteMs },
    account: { free: 20, firstWaitMs: 30 * secondMs, drainMs: 5 * minuteMs },
    network: { free: 100, firstWaitMs: 5 * secondMs, drainMs: 30 * secondMs },
  },
  register: {
    pair: { free: 5, firstWaitMs: 30 * secondMs, drainMs: 30 * minuteMs },
    account: { free: 10, firstWaitMs: 30 * secondMs, drainMs: 15 * minuteMs },
    network: { free: 30, firstWaitMs: 30 * secondMs, drainMs: 2 * minuteMs },
    site: { free: 60, firstWaitMs: 30 * secondMs, drainMs: minuteMs },
  },
  refresh: {
    pair: { free: 60, firstWaitMs: secondMs, drainMs: 10 * secondMs },
    account: { free: 120, firstWaitMs: secondMs, drainMs: 10 * secondMs },
    network: { free: 300, firstWaitMs: secondMs, drainMs: secondMs },
  },
  forgot: {
    pair: { free: 3, firstWaitMs: minuteMs, drainMs: 30 * minuteMs },
    account: { free: 6, firstWaitMs: minuteMs, drainMs: 30 * minuteMs },
    network: { free: 20, firstWaitMs: 30 * secondMs, drainMs: 2 * minuteMs },
  },
  reset: {
    pair: { free: 10, firstWaitMs: 10 * secondMs, drainMs: 5 * minuteMs },
    account: { free: 20, firstWaitMs: 10 * secondMs, drainMs: 5 * minuteMs },
    network: { free: 20, firstWaitMs: 30 * secondMs, drainMs: 2 * minuteMs },
  },
  'email-code': {
    pair: { free: 3, firstWaitMs: minuteMs, drainMs: 30 * minuteMs },
    account: { free: 6, firstWaitMs: minuteMs, drainMs: 30 * minuteMs },
    network: { free: 20, firstWaitMs: 30 * secondMs, drainMs: 2 * minuteMs },
  },
  'email-verify': {
    pair: { free: 10, firstWaitMs: 30 * secondMs, drainMs: 10 * minuteMs },
    account: { free: 10, firstWaitMs: 30 * secondMs, drainMs: 10 * minuteMs },
    network: { free: 60, firstWaitMs: 10 * secondMs, drainMs: minuteMs },
  },
  // Each sends a mail to an address that anybody may type.
  'login-code': {
    pair: { free: 3, firstWaitMs: minuteMs, drainMs: 30 * minuteMs },
    account: { free: 6, firstWaitMs: minuteMs, drainMs: 30 * minuteMs },
    network: { free: 20, firstWaitMs: 30 * secondMs, drainMs: 2 * minuteMs },
    site: { free: 60, firstWaitMs: 30 * secondMs, drainMs: minuteMs },
  },
  // Each costs the clinic a message: at most eleven on a first day for a number and three a day from then on, from wherever they are asked for.
  'phone-code': {
    pair: { free: 3, firstWaitMs: 15 * minuteMs, drainMs: 8 * hourMs, longestMs: 8 * hourMs },
    account: { free: 4, firstWaitMs: 15 * minuteMs, drainMs: 8 * hourMs, longestMs: 8 * hourMs },
    network: { free: 20, firstWaitMs: 30 * secondMs, drainMs: 2 * minuteMs },
    site: { free: 60, firstWaitMs: 30 * secondMs, drainMs: minuteMs },
  },
  // Beside the five tries of each code: about a hundred tries a day for an address, of a million codes.
  'login-code-verify': {
    pair: { free: 5, firstWaitMs: 30 * secondMs, drainMs: 30 * minuteMs },
    account: { free: 10, firstWaitMs: 30 * secondMs, drainMs: 15 * minuteMs },
    network: { free: 100, firstWaitMs: 5 * secondMs, drainMs: 30 * secondMs },
  },
  // Each asks the provider, which limits the tries of a password by itself; a login is counted for a network in place of an account.
  sso: {
    pair: { free: 30, firstWaitMs: 5 * secondMs, drainMs: 30 * secondMs },
    account: { free: 100, firstWaitMs: 5 * secondMs, drainMs: 10 * secondMs },
    network: { free: 100, firstWaitMs: 5 * secondMs, drainMs: 10 * secondMs },
  },
  // Without a login: counted for a network, and for an IPv6 /48 in place of an account. Each holds a seat for minutes.
  hold: {
    pair: { free: 20, firstWaitMs: 10 * secondMs, drainMs: 30 * secondMs },
    account: { free: 30, firstWaitMs: 10 * secondMs, drainMs: 20 * secondMs },
    network: { free: 60, firstWaitMs: 10 * secondMs, drainMs: 10 * secondMs },
  },
  // Every caller here already gave the right password. The limit allows about a hundred tries a day, of a million
  // codes.
  'second-factor': {
    pair: { free: 5, firstWaitMs: 30 * secondMs, drainMs: 30 * minuteMs },
    account: { free: 10, firstWaitMs: 30 * secondMs, drainMs: 15 * minuteMs },
    network: { free: 100, firstWaitMs: 5 * secondMs, drainMs: 30 * secondMs },
  },
  // Unknown keys: counted for a network, and for an IPv6 /48 in place of an account.
  'api-key': {
    pair: { free: 20, firstWaitMs: 30 * secondMs, drainMs: minuteMs },
    account: { free: 20, firstWaitMs: 30 * secondMs, drainMs: minuteMs },
    network: { free: 20, firstWaitMs: 30 * secondMs, drainMs: minuteMs },
  },
  // The account is a booking code, the network the tablet of the clinic: a busy one checks in a few people a minute.
  'check-in': {
    pair: { free: 5, firstWaitMs: 30 * secondMs, drainMs: 10 * minuteMs },
    account: { free: 8, firstWaitMs: 30 * secondMs, drainMs: 10 * minuteMs },
    network: { free: 60, firstWaitMs: 5 * secondMs, drainMs: 5 * secondMs },
  },
  claim: {
    pair: { free: 5, firstWaitMs: 30 * secondMs, drainMs: 30 * minuteMs },
    account: { free: 20, firstWaitMs: 30 * secondMs, drainMs: 5 * minuteMs },
    network: { free: 100, firstWaitMs: 5 * secondMs, drainMs: 30 * secondMs },
  },
};

/** The wait after each attempt beyond the free ones; the last value applies to all further attempts. */
export const listWaits = ({ free, firstWaitMs, longestMs = longestWaitMs }: Policy): number[] => {
  const waits: number[] = Array.from({ length: free - 1 }, () => 0);
  for (let wait = firstWaitMs; wait < longestMs; wait *= 2) waits.push(wait);
  return [...waits, longestMs];
};

export interface Counter {
  scope: Scope;
  emptyAt: number;
  blockedUntil: number;
}

/** The blocked counter with the longest wait, or null if the attempt was allowed. */
export const closedLongest = (counters: readonly Counter[], now: number): Counter | null =>
  counters
    .filter(({ blockedUntil }) => blockedUntil > now)
    .reduce<Counter | null>(
      (longest, c) => (longest && longest.blockedUntil >= c.blockedUntil ? longest : c),
      null,
    );

/** How many attempts are left before the waits begin. */
const attemptsLeft = (
  { free, drainMs }: Policy,
  { emptyAt }: Pick<Counter, 'emptyAt'>,
  now: number,
): number => Math.max(0, free - Math.ceil(Math.max(0, emptyAt - now) / drainMs));

const inSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / secondMs));

/** The two headers of draft-ietf-httpapi-ratelimit-headers-10 for one counter. */
export const limitHeaders = (
  name: string,
  policy: Policy,
  counter: Omit<Counter, 'scope'>,
  now: number,
): Record<string, string> => {
  const closed = counter.blockedUntil > now;
  const left = closed ? 0 : attemptsLeft(policy, counter, now);
  const resetMs = closed ? counter.blockedUntil - now : counter.emptyAt - now;
  return {
    'RateLimit-Policy': `"${name}";q=${policy.free};w=${inSeconds(policy.free * policy.drainMs)}`,
    RateLimit: `"${name}";r=${left};t=${inSeconds(resetMs)}`,
  };
};

/** The same for a counter of an act. */
export const rateLimitHeaders = (act: Act, counter: Counter, now: number): Record<string, string> => {
  const policy = policies[act][counter.scope];
  if (policy === undefined) return {};
  return limitHeaders(counter.scope === 'pair' ? act : `${act}-${counter.scope}`, policy, counter, now);
};
