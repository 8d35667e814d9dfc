import { runAll, type Statement } from '../../db/db.ts';
import type { Deps } from '../../deps.ts';
import { Failure } from '../../errors.ts';
import type { RequestContext } from '../../http/context.ts';
import { networkOf } from '../../http/network.ts';
import type { Answer } from '../../http/respond.ts';
import { derive } from '../derivation.ts';
import { clearCounter, countAttempt, findCounters, rememberNetwork } from './queries.ts';
import { type Act, type Counter, closedLongest, policies, rateLimitHeaders, waitsOf } from './rules.ts';

const networkTtlMs = 180 * 24 * 60 * 60 * 1000;

/** An attempt that was let through. */
export interface Attempt {
  /** A keyed hash of the client's network, for the audit trail. */
  network: string;
  /** What belongs into the batch of a success: the pair's attempts are forgotten, the network is remembered. */
  succeeded: () => Promise<Statement[]>;
}

const scopes = ['pair', 'account', 'network'] as const;

/** A keyed hash, so that neither e-mails nor addresses are stored. */
const nameOf = ({ tokenKeys }: Deps, ...parts: string[]): Promise<string> =>
  derive(tokenKeys, 'throttle', JSON.stringify(parts));

const pairOf = (deps: Deps, act: Act, account: string, network: string) =>
  nameOf(deps, act, 'pair', account, network);

/** The names of the counters, and the one under which the account knows its networks. */
const namesOf = async (deps: Deps, act: Act, account: string, network: string) => {
  const [pair, ofAccount, ofNetwork, known] = await Promise.all([
    pairOf(deps, act, account, network),
    nameOf(deps, act, 'account', account),
    nameOf(deps, act, 'network', network),
    nameOf(deps, 'known', account),
  ]);
  return { counters: { pair, account: ofAccount, network: ofNetwork }, known };
};

const ladders = new Map<object, number[]>();

const ladderOf = (policy: (typeof policies)[Act][Counter['scope']]): number[] => {
  const known = ladders.get(policy) ?? waitsOf(policy);
  ladders.set(policy, known);
  return known;
};

const countersOf = (act: Act, names: Record<Counter['scope'], string>): string =>
  JSON.stringify(
    scopes.map((scope) => {
      const policy = policies[act][scope];
      return { scope, key: names[scope], waits: ladderOf(policy), drain: policy.drainMs };
    }),
  );

/** Forgets the wrong passwords that this network tried for the account. `network` as an attempt has it. */
export const forgetGuesses = async (deps: Deps, account: string, network: string): Promise<Statement> =>
  clearCounter(deps.db, { key: await pairOf(deps, 'login', account, network) });

/** What belongs into a batch that opens an account for this network. */
const successOf = async (deps: Deps, now: number, account: string, network: string): Promise<Statement[]> => {
  const [forgotten, known] = await Promise.all([
    forgetGuesses(deps, account, network),
    nameOf(deps, 'known', account),
  ]);
  const home = { account: known, network, expiresAt: now + networkTtlMs };
  return [forgotten, rememberNetwork(deps.db, home)];
};

/** Counts the attempt before anything costly happens, or throws `rate_limited`. An error lets nobody through. */
const count = async ({ deps, now }: RequestContext, act: Act, account: string, network: string) => {
  const { counters: names, known } = await namesOf(deps, act, account, network);
  const values = { counters: countersOf(act, names), account: known, network, now };
  const [counted, rows] = await runAll(deps.db, [
    countAttempt(deps.db, values),
    findCounters(deps.db, values),
  ]);
  const counters: Counter[] = rows.flatMap(({ key, ...counter }) => {
    const scope = scopes.find((candidate) => names[candidate] === key);
    return scope === undefined ? [] : [{ scope, ...counter }];
  });
  if (counted.length === 0) {
    const closed = closedLongest(counters, now);
    if (closed === null) throw new Error('An attempt was neither counted nor refused.');
    const headers = rateLimitHeaders(act, closed, now);
    const seconds = Math.max(1, Math.ceil((closed.blockedUntil - now) / 1000));
    throw new Failure('rate_limited', { headers: { ...headers, 'Retry-After': String(seconds) } });
  }
  const pair = counters.find(({ scope }) => scope === 'pair');
  return pair === undefined ? {} : rateLimitHeaders(act, { ...pair, blockedUntil: 0 }, now);
};

/**
 * Lets an attempt through or refuses it; either way the answer says how many are left. `account` is what identifies
 * one: an e-mail, or a token.
 */
export const throttled = async <A extends Answer>(
  request: RequestContext,
  act: Act,
  account: string,
  work: (attempt: Attempt) => Promise<A>,
): Promise<A> => {
  const { deps, now } = request;
  const network = await derive(deps.tokenKeys, 'network', networkOf(request.clientAddress()));
  if (deps.config.RATE_LIMIT === 'off') return work({ network, succeeded: async () => [] });
  const headers = await count(request, act, account, network);
  try {
    const answer = await work({ network, succeeded: () => successOf(deps, now, account, network) });
    return { ...answer, headers: { ...answer.headers, ...headers } };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(error.code, {
      ...error.details,
      headers: { ...headers, ...error.details.headers },
    });
  }
};
