import { read } from '../core/db/db.ts';
import type { Deps } from '../core/deps.ts';
import { depsOf, requestContext } from '../core/http/context.ts';
import { respond, withHeaders } from '../core/http/respond.ts';
import { identify } from '../modules/auth/bearer.ts';
import { identifyKey } from '../modules/auth/keys/use.ts';
import { type PublicEndpoint, type PublicHandler, type Reads, toReading } from '../modules/handler.ts';
import { authorize } from './authorize.ts';
import { withSignedCursor } from './paging.ts';
import { createParser, type ParsedContext, refuse } from './parse.ts';
import { withMessage } from './replay.ts';

export type AnyPublicHandler = PublicHandler<PublicEndpoint, Reads>;

/** Answers an endpoint that anybody may call: parse, then the handler. If the request has a token, it must be valid. */
export const publicRoute = (endpoint: PublicEndpoint, handler: AnyPublicHandler) => {
  const parse = createParser(endpoint);
  // A person's token gives no further rights here, so it is not checked against the database; an API key must be valid
  // all the same.
  const { scope } = endpoint;
  const anybody = { access: 'bearer', beforeEnrolment: true, ...(scope && { scope }) } as const;

  const answerKnown = async (c: ParsedContext, deps: Deps, authorization: string): Promise<Response> => {
    const now = deps.clock();
    const caller = await identify(deps, authorization, now, identifyKey);
    const request = requestContext(c, deps, now);
    c.set('assertAuthorized', () => authorize(request, anybody, caller, undefined, []));
    const { params, query, body } = await parse(c);
    const context = { ...request, params, query, body };
    let reads: Reads;
    try {
      reads = handler.reads?.(context) ?? [];
    } catch (error) {
      return refuse(c, error, params);
    }
    const { statements, toResult } = toReading(reads);
    const { admitted, rows } = await authorize(request, anybody, caller, undefined, statements);
    const { actor, headers } = admitted;
    const known = { ...context, actor };
    const given = withMessage(endpoint, await handler.answer(known, toResult(rows)));
    return respond(c, withHeaders(await withSignedCursor(deps, endpoint, given), headers));
  };

  return async (c: ParsedContext): Promise<Response> => {
    const deps = depsOf(c);
    const authorization = endpoint.takesToken ? c.req.header('Authorization') : undefined;
    if (authorization !== undefined) return answerKnown(c, deps, authorization);
    const request = requestContext(c, deps, deps.clock());
    const parsing = parse(c);
    const { params, query, body } = parsing instanceof Promise ? await parsing : parsing;
    const context = { ...request, params, query, body, ...(endpoint.takesToken && { actor: null }) };
    const rows = await read(deps.db, toReading(handler.reads?.(context) ?? []));
    const given = withMessage(endpoint, await handler.answer(context, rows));
    return respond(c, await withSignedCursor(deps, endpoint, given));
  };
};
