import type { Context } from 'hono';
import * as z from 'zod/mini';
import { noteSeen } from '../auth/last-seen.ts';
import { findLiveLogin } from '../auth/queries.ts';
import type { Statement } from '../db/db.ts';
import type { Deps } from '../deps.ts';
import type { BodyOf, Endpoint, ParamsOf, QueryOf, Role } from '../endpoint.ts';
import { Failure } from '../errors.ts';
import {
  assertSameRequest,
  idempotencyKey,
  idempotencyOf,
  type Keep,
  RequestRepeated,
} from '../idempotency/key.ts';
import { findReplay } from '../idempotency/queries.ts';
import type { Language } from '../messages.ts';
import { identify, refusedToken } from './bearer.ts';
import { type ReadBody, readBody } from './body.ts';
import type { Actor, AppEnv, Claims } from './context.ts';
import { fieldIssues } from './field-issues.ts';
import type { Serve } from './observed.ts';
import { type Answer, jsonContent, keeper, respond } from './respond.ts';

type LiveLogin = NonNullable<ReturnType<typeof findLiveLogin>['_']['result'][number]>;

/** What a handler is told of the request. `caller` is proved by signature, `actor` by the database as well. */
export interface Ask<E extends Endpoint> {
  deps: Deps;
  now: number;
  requestId: string;
  language: Language;
  caller: Claims;
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  header: (name: string) => string | undefined;
  clientAddress: () => string;
}

/** What a handler is told once the session holds. */
export interface Admitted<E extends Endpoint> extends Ask<E> {
  actor: Actor;
  login: LiveLogin;
  /** What is to be kept of an answer for a repeat of the request; null without an idempotency key. */
  keep: Keep;
}

type Statements = readonly Statement[];
type Rows<S extends Statements> = { -readonly [K in keyof S]: S[K]['_']['result'] };
type AnswerOf<E extends Endpoint> = Answer<keyof E['returns'] & number> | Answer<304>;

/** The record that a path names: how it is read, and who may know that it exists. */
interface Owned<E extends Endpoint, Row> {
  read: (ask: Ask<E>) => Statement<Row[]>;
  visible: (row: Row, actor: Actor) => boolean;
}

export interface Handling<E extends Endpoint, Row, S extends Statements> {
  owned?: Owned<E, Row>;
  /** Reads that ride along with the session check, in the same round trip. */
  reads?: (ask: Ask<E>) => S;
  answer: (ask: Admitted<E>, rows: Rows<S>, row: Row) => AnswerOf<E> | Promise<AnswerOf<E>>;
}

const batchOf = (deps: Deps, statements: Statements): Promise<unknown[]> | [] => {
  const [first, ...rest] = statements;
  return first === undefined ? [] : (deps.db.batch([first, ...rest]) as Promise<unknown[]>);
};

const actorOf = (login: LiveLogin, claims: Claims): Actor => ({
  ...claims,
  role: login.role,
  doctorId: login.doctorId,
});

const assertRole = (access: 'bearer' | readonly Role[], role: Role): void => {
  if (access !== 'bearer' && !access.includes(role)) throw new Failure('forbidden');
};

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Asks the database who calls, whether they may, and whether the named record is theirs to see; notes the caller. */
const admit = async <E extends Endpoint, Row>(
  endpoint: E,
  ask: Writable<Admitted<E>>,
  owned: Owned<E, Row> | undefined,
  reads: Statements,
) => {
  const { deps, caller, now } = ask;
  if (endpoint.access === 'public') return { rows: await batchOf(deps, reads) };
  const session = findLiveLogin(deps.db, { ...caller, now });
  const statements = [session, ...(owned === undefined ? [] : [owned.read(ask)]), ...reads];
  const [logins, ...rest] = (await batchOf(deps, statements)) as [LiveLogin[], ...unknown[]];
  const [login] = logins;
  if (login === undefined) throw refusedToken();
  noteSeen(deps, caller, login, now);
  const actor = actorOf(login, caller);
  assertRole(endpoint.access, actor.role);
  ask.login = login;
  ask.actor = actor;
  if (owned === undefined) return { rows: rest };
  const [[row], ...rows] = rest as [Row[], ...unknown[]];
  if (row === undefined || !owned.visible(row, actor)) throw new Failure('not_found');
  return { row, rows };
};

type Part = 'params' | 'query' | 'body';

/** An idempotency key: undefined without one, null for one that is malformed. */
type Key = string | null | undefined;

/** The query with a value that comes once as text, and one that is repeated as a list. */
const queryOf = (c: Context<AppEnv>): Record<string, unknown> => {
  if (!c.req.url.includes('?')) return {};
  const all = Object.entries(c.req.queries());
  return Object.fromEntries(all.map(([name, values]) => [name, values.length === 1 ? values[0] : values]));
};

const honoPath = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** Where that lies which the kept answer says was made. */
const madeAt = (path: string, { status, body }: { status: number; body: string }) =>
  status === 201 ? { Location: `${path}/${JSON.parse(body).data.id}` } : {};

/** What one part of the request holds. */
const parsed = (part: Part, shape: z.ZodMiniObject, given: unknown) => {
  const result = z.safeParse(shape, given);
  if (result.success) return result.data;
  if (part === 'params') throw new Failure('not_found');
  const issues = fieldIssues(result.error.issues, given);
  throw new Failure(part === 'body' ? 'validation_failed' : 'invalid_query', { issues });
};

/**
 * Mounts contracts on the app. The order of checks is the contract's: size and type, token, role, ownership,
 * syntax, fields, and last the handler, which judges the state.
 */
export const mounter = (serve: Serve, deps: Deps) => {
  const mount = <const E extends Endpoint, Row = undefined, const S extends Statements = readonly []>(
    endpoint: E,
    { owned, reads, answer }: Handling<E, Row, S>,
  ): void => {
    const writes = endpoint.method !== 'get';
    const isPublic = endpoint.access === 'public';
    const bodyOptional = endpoint.body === undefined || endpoint.bodyOptional === true;

    /** The idempotency key where the endpoint takes one; null for one that is malformed. */
    const keyIn = (c: Context<AppEnv>): Key => {
      const header = endpoint.idempotent ? c.req.header('Idempotency-Key') : undefined;
      return header === undefined ? undefined : idempotencyKey(header);
    };

    const askOf = (c: Context<AppEnv>, now: number, caller: Claims | undefined) =>
      // What is still missing is filled in as it is proved; for a public endpoint the caller never is.
      ({
        deps,
        now,
        requestId: c.get('requestId'),
        language: c.get('language'),
        caller,
        params: undefined,
        query: undefined,
        body: undefined,
        header: (name: string) => c.req.header(name),
        clientAddress: () => deps.clientAddress(c.req.raw, c.env),
        actor: undefined,
        login: undefined,
        keep: undefined,
      }) as unknown as Writable<Admitted<E>>;

    const readParts = (ask: Writable<Ask<E>>, c: Context<AppEnv>, body: ReadBody | null, key: Key): void => {
      if (endpoint.params !== undefined)
        ask.params = parsed('params', endpoint.params(), c.req.param()) as ParamsOf<E>;
      if (endpoint.query !== undefined)
        ask.query = parsed('query', endpoint.query(), queryOf(c)) as QueryOf<E>;
      if (body?.malformed) throw new Failure('malformed_json');
      if (key === null)
        throw new Failure('invalid_header', { issues: [{ path: 'Idempotency-Key', rule: 'invalid' }] });
      if (endpoint.body !== undefined && body !== null)
        ask.body = parsed('body', endpoint.body(), body.json) as BodyOf<E>;
    };

    const lookUpOf = async (c: Context<AppEnv>, ask: Ask<E>, body: ReadBody | null, key: Key) => {
      if (key === undefined || key === null) return null;
      const idempotency = await idempotencyOf(key, c.req.method, c.req.path, body?.text ?? '');
      const values = { user_id: ask.caller.userId, key: idempotency.key, now: ask.now };
      return { idempotency, statement: findReplay(deps.db, values) };
    };

    /** The kept answer of the same request, or the effect; whoever loses the race to make it finds the answer. */
    const answerTo = async (c: Context<AppEnv>, body: ReadBody | null): Promise<Response> => {
      const now = deps.clock();
      const key = keyIn(c);
      const proof = isPublic ? undefined : identify(deps, c.req.header('Authorization'), now);
      const ask = askOf(c, now, proof instanceof Promise ? await proof : proof);
      let own: Statements;
      try {
        readParts(ask, c, body, key);
        own = reads?.(ask) ?? [];
      } catch (error) {
        // Who may not ask at all is told so before what is wrong with the question.
        const isNamed = endpoint.params === undefined || ask.params !== undefined;
        await admit(endpoint, ask, isNamed ? owned : undefined, []);
        throw error;
      }
      const lookUp = key === undefined ? null : await lookUpOf(c, ask, body, key);
      const statements = lookUp === null ? own : [lookUp.statement, ...own];
      const { rows, row } = await admit(endpoint, ask, owned, statements);
      if (lookUp !== null) {
        const [replay] = rows.shift() as Rows<[typeof lookUp.statement]>[0];
        if (replay !== undefined) {
          assertSameRequest(replay, lookUp.idempotency);
          const headers = { ...jsonContent, 'Idempotency-Replayed': 'true', ...madeAt(c.req.path, replay) };
          return respond(c, { status: replay.status, raw: replay.body, headers });
        }
      }
      ask.keep = keeper(lookUp?.idempotency ?? null, ask.language);
      try {
        return respond(c, await answer(ask, rows as Rows<S>, row as Row));
      } catch (error) {
        if (error instanceof RequestRepeated) return answerTo(c, body);
        throw error;
      }
    };

    const handle = (c: Context<AppEnv>) =>
      writes ? readBody(c.req, bodyOptional).then((body) => answerTo(c, body)) : answerTo(c, null);

    serve(endpoint.method.toUpperCase(), honoPath(endpoint.path), handle);
  };
  return mount;
};

export type Mount = ReturnType<typeof mounter>;
