import { zValidator } from '@hono/zod-validator';
import type { Context, MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import * as z from 'zod/mini';
import type { ZodSafeParseResult } from 'zod/v4';
import type { Endpoint } from '../core/endpoint/endpoint.ts';
import { Failure } from '../core/endpoint/errors.ts';
import { fieldIssues } from '../core/endpoint/field-issues.ts';
import { once } from '../core/endpoint/once.ts';
import { type AppEnv, depsOf } from '../core/http/context.ts';
import type { Parts } from '../modules/handler.ts';

import { hasCursor, isPaged, withOpenedCursor } from './paging.ts';
import { idempotencyKeyIn, malformedKey } from './replay.ts';
import { buildBodyShape, buildQueryShape } from './shapes.ts';

type Target = 'param' | 'query' | 'json';
/** The values that the validators store in the context. */
type Valid = { in: Record<Target, NonNullable<unknown>>; out: Record<Target, object> };
export type ParsedContext = Context<AppEnv, string, Valid>;

/** Throws `failure`, unless the caller may not make the request at all: authorization errors take precedence. */
export const refuse = async (
  c: ParsedContext,
  failure: unknown,
  params: object | undefined,
): Promise<never> => {
  await c.get('assertAuthorized')?.(params);
  throw failure;
};

const toFailure = (target: Target, issues: readonly z.core.$ZodIssue[], given: unknown): Failure => {
  if (target === 'param') return new Failure('not_found');
  const details = { issues: fieldIssues(issues, given) };
  return new Failure(target === 'json' ? 'validation_failed' : 'invalid_query', details);
};

/** Synchronous; zod/mini's failures have the issues, but not the methods of the validator's type. */
const parseNow = (shape: z.ZodMiniType, value: unknown) =>
  z.safeParse(shape, value) as ZodSafeParseResult<unknown>;

/** The validator of one part, made when the first request needs it. */
const createValidator = (target: Target, shapeOf: () => z.ZodMiniType) =>
  once<MiddlewareHandler<AppEnv, string, Valid>>(() =>
    zValidator(
      target,
      shapeOf(),
      (result, c: ParsedContext) => {
        if (result.success) return;
        const params = target === 'param' ? undefined : c.req.valid('param');
        return refuse(c, toFailure(target, result.error.issues, result.data), params);
      },
      { validationFunction: parseNow },
    ),
  );

const done = Promise.resolve();
const noNext = (): Promise<void> => done;

/** Broken JSON is refused by the validator before its hook is called. */
const assertJson = (c: ParsedContext, error: unknown): Promise<never> => {
  if (!(error instanceof HTTPException)) throw error;
  return refuse(c, new Failure('malformed_json'), c.req.valid('param'));
};

/** The validated input, and the request's idempotency key. */
interface Parsed extends Parts<Endpoint> {
  key: string | null;
}

type AssertAuthorized = NonNullable<AppEnv['Variables']['assertAuthorized']>;

const nothing: Parsed = { params: {}, query: {}, body: {}, key: null };

const makeParser = (endpoint: Endpoint) => {
  const param = endpoint.params && createValidator('param', endpoint.params);
  const query = createValidator('query', () => buildQueryShape(endpoint));
  const json =
    endpoint.method === 'get' ? undefined : createValidator('json', () => buildBodyShape(endpoint));
  const takesQuery = endpoint.query !== undefined;
  const judgesAnyQuery = !endpoint.ignoresUnknownQuery;

  const readsQuery = (c: ParsedContext) => takesQuery || (judgesAnyQuery && c.req.url.includes('?'));
  const takesNothing = param === undefined && json === undefined && !endpoint.idempotent;

  const pages = once(() => ({ byCursor: isPaged(endpoint) }));
  const openQuery = async (c: ParsedContext, query: { cursor: string }): Promise<object> =>
    withOpenedCursor(depsOf(c), endpoint, query).catch((error) => refuse(c, error, c.req.valid('param')));

  const parseParts = async (c: ParsedContext): Promise<Parsed> => {
    if (param !== undefined) await param()(c, noNext);
    if (readsQuery(c)) await query()(c, noNext);
    const key = endpoint.idempotent ? idempotencyKeyIn(c) : null;
    if (key === undefined) return refuse(c, malformedKey(), c.req.valid('param'));
    if (json !== undefined) await json()(c, noNext).catch((error: unknown) => assertJson(c, error));
    const given = c.req.valid('query');
    const opened = hasCursor(given) && pages().byCursor ? await openQuery(c, given) : given;
    return { params: c.req.valid('param'), query: opened, body: c.req.valid('json'), key };
  };
  // Not async: a request with nothing to parse waits for no promise.
  return (c: ParsedContext, assertAuthorized?: AssertAuthorized): Parsed | Promise<Parsed> => {
    if (takesNothing && !readsQuery(c)) return nothing;
    if (assertAuthorized !== undefined) c.set('assertAuthorized', assertAuthorized);
    return parseParts(c);
  };
};

const parsers = new WeakMap<Endpoint, ReturnType<typeof makeParser>>();

/**
 * The parts of a request that an endpoint reads, in the order of the contract: path, query, headers, body. One parser
 * serves all apps, so that its shapes are made once.
 */
export const createParser = (endpoint: Endpoint): ReturnType<typeof makeParser> => {
  const made = parsers.get(endpoint) ?? makeParser(endpoint);
  parsers.set(endpoint, made);
  return made;
};
