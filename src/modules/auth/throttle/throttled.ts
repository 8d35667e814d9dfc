import { derive } from '../../../core/crypto/key-derivation.ts';
import {
  type Named,
  type NamedResults,
  type Reading,
  read,
  reading,
  runAll,
  type Statement,
} from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { rateLimited } from '../../../core/endpoint/rate-limited.ts';
import type { RequestContext } from '../../../core/http/context.ts';
import { toNetwork, toSite } from '../../../core/http/network.ts';
import type { Answer } from '../../../core/http/respond.ts';
import { type KnownDevice, knownDevice, knownTtlMs } from './device-token.ts';
import {
  clearCounter,
  countAttempt,
  findCounters,
  forgetDevices,
  forgetNetworks,
  rememberNetwork,
} from './queries.ts';
import {
  type Act,
  type Counter,
  closedLongest,
  listWaits,
  type Policy,
  policies,
  rateLimitHeaders,
} from './rules.ts';

/** Where an attempt comes from: a keyed hash of the client's network, and the device if the account knows it. */
interface Origin {
  network: string;
  device: string | null;
}

export interface Attempt extends Origin {
  /**
   * Statements for the batch of a successful login: resets the pair's counter and remembers the network. `name` is the
   * account's, where it was not what the attempt was counted for.
   */
  succeeded: (name?: string) => Promise<Statement[]>;
}

const scopes = ['pair', 'account', 'network', 'site'] as const;

/** A keyed hash, so that the counters store neither e-mails nor addresses. */
const deriveName = ({ tokenKeys }: Pick<Deps, 'tokenKeys'>, ...parts: string[]): Promise<string> =>
  derive(tokenKeys, 'throttle', JSON.stringify(parts));

/** A known device has its own counter, which other people in the same network cannot fill. */
const derivePairName = (deps: Deps, act: Act, account: string, { network, device }: Origin) =>
  device === null
    ? deriveName(deps, act, 'pair', account, network)
    : deriveName(deps, act, 'device', account, device);

/** The counter of an account's attempts from networks that never logged in to it. */
export const accountCounter = (deps: Deps, act: Act, account: string): Promise<string> =>
  deriveName(deps, act, 'account', account);

/** The name under which an account's known networks are stored. */
export const knownName = (deps: Pick<Deps, 'tokenKeys'>, account: string): Promise<string> =>
  deriveName(deps, 'known', account);

type Names = Readonly<Partial<Record<Counter['scope'], string>>>;

/** The keys of the counters that may apply, and the key under which the account's known networks are stored. */
const deriveNames = async (deps: Deps, act: Act, account: string, origin: Origin, site: string | null) => {
  const [pair, ofAccount, network, known, ofSite] = await Promise.all([
    derivePairName(deps, act, account, origin),
    accountCounter(deps, act, account),
    deriveName(deps, act, 'network', origin.network),
    knownName(deps, account),
    site === null ? null : deriveName(deps, act, 'site', site),
  ]);
  const counters: Names = {
    pair,
    network,
    account: ofAccount,
    ...(ofSite !== null && { site: ofSite }),
  };
  return { counters, known };
};

const ladders = new Map<object, number[]>();

const listKnownWaits = (policy: Policy): number[] => {
  const known = ladders.get(policy) ?? listWaits(policy);
  ladders.set(policy, known);
  return known;
};

const serializeCounters = (act: Act, names: Names): string =>
  JSON.stringify(
    scopes.flatMap((scope) => {
      const [policy, key] = [policies[act][scope], names[scope]];
      if (policy === undefined || key === undefined) return [];
      return [{ scope, key, waits: listKnownWaits(policy), drain: policy.drainMs }];
    }),
  );

/** The statement that forgives an account the attempts at an act from this origin. */
export const forgive = async (deps: Deps, act: Act, account: string, origin: Origin): Promise<Statement> =>
  clearCounter(deps.db, { key: await derivePairName(deps, act, account, origin) });

/** The statements for the batch of a successful login from this origin. */
const buildSuccess = async (
  deps: Deps,
  now: number,
  account: string,
  origin: Origin,
): Promise<Statement[]> => {
  const [forgotten, known] = await Promise.all([
    forgive(deps, 'login', account, origin),
    knownName(deps, account),
  ]);
  const home = { account: known, network: origin.network, expiresAt: now + knownTtlMs };
  return [forgotten, rememberNetwork(deps.db, home)];
};

/** Statements that make the account's networks and devices strangers again, if the event `writeId` was recorded. */
export const forgetOrigins = async (
  deps: Pick<Deps, 'db' | 'tokenKeys'>,
  { name, writeId, now }: { name: string; writeId: string; now: number },
): Promise<Statement[]> => {
  const account = await knownName(deps, name);
  return [
    forgetNetworks(deps.db, { account, writeId }),
    forgetDevices(deps.db, { account, writeId, expiresAt: now + knownTtlMs }),
  ];
};

/** The device that sends the request, if it has opened the account before. */
export const findDevice = (
  { deps, now, header }: Pick<RequestContext, 'deps' | 'now' | 'header'>,
  account: string,
) => knownDevice(deps.tokenKeys, header('X-Device-Token'), account, now);

/** The statements for the batch of a login that took a second factor: as if it had been one step. */
export const openedInTwoSteps = async (
  { deps, now }: Pick<RequestContext, 'deps' | 'now'>,
  { userId, name }: { userId: string; name: string },
  origin: Origin,
): Promise<Statement[]> => {
  if (deps.config.RATE_LIMIT === 'off') return [];
  const codes = await forgive(deps, 'second-factor', userId, { ...origin, device: null });
  return [codes, ...(await buildSuccess(deps, now, name, origin))];
};

/**
 * Counts the attempt before any expensive work, or throws `rate_limited`. Fails closed. Other reads go in the same
 * batch and cost no extra round trip.
 */
const count = async <R>(
  { deps, now, clientAddress }: RequestContext,
  act: Act,
  account: string,
  origin: Origin,
  device: KnownDevice | null,
  reads: Reading<R>,
) => {
  const site = policies[act].site === undefined ? null : toSite(clientAddress());
  const { counters: names, known } = await deriveNames(deps, act, account, origin, site);
  const values = {
    counters: serializeCounters(act, names),
    account: known,
    network: origin.network,
    deviceUntil: device?.expiresAt ?? null,
    now,
  };
  const { counted, rows, given } = await runAll(deps.db, {
    counted: countAttempt(deps.db, values),
    rows: findCounters(deps.db, values),
    given: reads,
  });
  const counters: Counter[] = rows.flatMap(({ key, ...counter }) => {
    const scope = scopes.find((candidate) => names[candidate] === key);
    return scope === undefined ? [] : [{ scope, ...counter }];
  });
  if (counted.length === 0) {
    const closed = closedLongest(counters, now);
    if (closed === null) throw new Error('An attempt was neither counted nor refused.');
    const headers = rateLimitHeaders(act, closed, now);
    const seconds = Math.max(1, Math.ceil((closed.blockedUntil - now) / 1000));
    throw rateLimited(seconds, headers);
  }
  const pair = counters.find(({ scope }) => scope === 'pair');
  const headers = pair === undefined ? {} : rateLimitHeaders(act, { ...pair, blockedUntil: 0 }, now);
  return { headers, given };
};

/**
 * Allows an attempt or refuses it; either way the answer says how many are left. `account` identifies the account: an
 * e-mail, or a token. `from` names the device that asks where it is known, in place of its network. The `reads` are made
 * as the attempt is counted.
 */
export const throttled = async <A extends Answer, const N extends Named = Record<never, never>>(
  request: RequestContext,
  { act, account, from, reads }: { act: Act; account: string; from?: string; reads?: N },
  work: (attempt: Attempt, rows: NamedResults<N>) => Promise<A>,
): Promise<A> => {
  const { deps, now } = request;
  const network = await derive(deps.tokenKeys, 'network', from ?? toNetwork(request.clientAddress()));
  const device = act === 'login' ? await findDevice(request, account) : null;
  const origin = { network, device: device?.id ?? null };
  const beside: Reading<NamedResults<N>> = reading(reads ?? ({} as N));
  if (deps.config.RATE_LIMIT === 'off') {
    return work({ ...origin, succeeded: async () => [] }, await read(deps.db, beside));
  }
  const { headers, given } = await count(request, act, account, origin, device, beside);
  try {
    const attempt = { ...origin, succeeded: (name = account) => buildSuccess(deps, now, name, origin) };
    const answer = await work(attempt, given);
    return { ...answer, headers: { ...answer.headers, ...headers } };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw error.withHeaders(headers);
  }
};
