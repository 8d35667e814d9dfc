import { refersToNobody } from '../core/db/conflict.ts';
import type { Reading } from '../core/db/db.ts';
import { Failure } from '../core/endpoint/errors.ts';
import { depsOf, headerOf, requestContext } from '../core/http/context.ts';
import { respond, withHeaders } from '../core/http/respond.ts';
import { RequestRepeated } from '../core/idempotency/key.ts';
import { isRepeat } from '../core/idempotency/queries.ts';
import { readLines, type Shown } from '../modules/auth/audit/reads.ts';
import { identify } from '../modules/auth/bearer.ts';
import type { AnyContext } from '../modules/auth/context.ts';
import { identifyKey } from '../modules/auth/keys/use.ts';
import { assertRecent } from '../modules/auth/recent-login.ts';
import { bearerExpected } from '../modules/auth/sentences.ts';
import {
  type AuthenticatedEndpoint,
  type AuthenticatedHandler,
  type Identify,
  type Parts,
  type Reads,
  toReading,
} from '../modules/handler.ts';
import { authorize } from './authorize.ts';
import { withSignedCursor } from './paging.ts';
import { createParser, type ParsedContext } from './parse.ts';
import { lookUp, replay, responseToStore, storedData, withMessage } from './replay.ts';

export type AnyAuthenticatedHandler = AuthenticatedHandler<AuthenticatedEndpoint, unknown, Reads>;
type Params = Parts<AuthenticatedEndpoint>['params'];

/** The default: a handler reads nothing of its own. */
const nothing: Reading<unknown> = { statements: [], toResult: (results) => results };

type Answered = AnyContext & Pick<Parts<AuthenticatedEndpoint>, 'params' | 'query'>;

/** Records what the people of the clinic read, before the answer is sent. */
const disclosing = (endpoint: AuthenticatedEndpoint) => {
  const { discloses } = endpoint;
  const lines = readLines(endpoint);
  const isSearch = endpoint.searches === true;
  const isRead = endpoint.method === 'get' || isSearch;
  return async (given: Answered & { body: object }, { seen }: { seen?: Shown }): Promise<void> => {
    const context = isSearch ? { ...given, query: { ...given.query, ...given.body } } : given;
    if (isRead && discloses === 'list') return lines.list(context);
    if (isRead && discloses === 'export') return lines.exported(context);
    if (isRead && discloses === 'record' && seen === undefined)
      throw new Error(`${endpoint.path} does not say whose record it shows.`);
    if (seen != null) await lines.record(context, seen);
  };
};

/** The caller as `/v1` names it: by a bearer token. */
const identifyBearer: Identify = (deps, header, now) => {
  const authorization = header('authorization');
  if (authorization === undefined && header('x-api-key') !== undefined)
    throw new Failure('unauthenticated', { sentence: bearerExpected });
  return identify(deps, authorization, now, identifyKey);
};

/** Answers an endpoint that takes a token: identify, parse, authorize, replay, and last the handler. */
export const authenticatedRoute = (
  endpoint: AuthenticatedEndpoint,
  handler: AnyAuthenticatedHandler,
  identifyCaller: Identify = identifyBearer,
) => {
  const parse = createParser(endpoint);
  const { recentLogin } = endpoint;
  const { resource } = handler;
  const disclose = disclosing(endpoint);

  /** `text` is the body. If the same request was answered in the meantime, runs again and finds that response. */
  const answer = async (c: ParsedContext, text: string): Promise<Response> => {
    const deps = depsOf(c);
    const now = deps.clock();
    const proof = identifyCaller(deps, (name) => headerOf(c, name), now, c.req.path);
    const caller = proof instanceof Promise ? await proof : proof;
    const request = requestContext(c, deps, now);
    const named = (params: Params) => {
      if (resource === undefined) return undefined;
      const input = { ...request, params, caller };
      return { read: resource.read(input), resource, elsewhere: resource.elsewhere?.bind(resource, input) };
    };
    const assertAuthorized = (params: Params | undefined): Promise<unknown> => {
      const record = params === undefined && endpoint.params !== undefined ? undefined : named(params ?? {});
      return authorize(request, endpoint, caller, record, []);
    };

    const parsing = parse(c, assertAuthorized);
    const { key, params, query, body } = parsing instanceof Promise ? await parsing : parsing;
    let reads: Reads;
    try {
      reads = handler.reads?.({ ...request, params, query, body, caller }) ?? nothing;
    } catch (error) {
      await assertAuthorized(params);
      throw error;
    }
    const lookup =
      key === null
        ? null
        : await lookUp(c, deps, { userId: caller.userId, key, text, now }, endpoint.answersSecret);
    const { statements, toResult } = toReading(reads);
    const all = lookup === null ? statements : [...lookup.statements, ...statements];
    const authorized = await authorize(request, endpoint, caller, named(params), all);
    // A key only gets here if there is a scope, and nothing after this needs a login.
    const { actor, login, cancelLeadMinutes, headers } = authorized.admitted;
    if (Array.isArray(recentLogin) && recentLogin.some((field) => Object.hasOwn(body ?? {}, field)))
      assertRecent(login, now);
    let again: { data: unknown } | undefined;
    if (lookup !== null) {
      const stored = lookup.toResult(authorized.rows);
      if (stored !== undefined && handler.repeat === undefined)
        return replay(c, endpoint, stored, lookup.idempotency);
      if (stored !== undefined) again = { data: storedData(stored, lookup.idempotency) };
    }
    const rows = lookup === null ? authorized.rows : authorized.rows.slice(lookup.statements.length);
    const toStoredResponse = responseToStore(lookup?.idempotency ?? null, request.language, endpoint);
    const context = { ...request, params, query, body, actor, login, cancelLeadMinutes, toStoredResponse };
    try {
      if (again !== undefined && handler.repeat !== undefined) {
        const repeated = withMessage(endpoint, await handler.repeat(context, again.data));
        return respond(c, withHeaders(repeated, { ...headers, 'Idempotency-Replayed': 'true' }));
      }
      const pending = handler.answer(context, toResult(rows), authorized.resource);
      const given = pending instanceof Promise ? await pending : pending;
      // Patients see their own, and cost nothing more.
      if (actor.role !== 'patient') await disclose(context, given);
      const paged = withSignedCursor(deps, endpoint, withMessage(endpoint, given));
      return respond(c, withHeaders(paged instanceof Promise ? await paged : paged, headers));
    } catch (error) {
      if (error instanceof RequestRepeated || isRepeat(error)) return answer(c, text);
      // The account, or what the path names, was deleted meanwhile: this throws what the same request would be answered now.
      if (refersToNobody(error)) await assertAuthorized(params);
      const details = error instanceof Failure ? error.details : {};
      if (details.seen !== undefined && actor.role !== 'patient') await disclose(context, details);
      throw error;
    }
  };
  return answer;
};
