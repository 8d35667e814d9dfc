import { identify } from '../auth/bearer.ts';
import { read } from '../db/db.ts';
import type { Deps } from '../deps.ts';
import { type PublicEndpoint, type PublicHandler, type Reads, readingOf } from '../handler.ts';
import { requestContext } from '../http/context.ts';
import { respond } from '../http/respond.ts';
import { authorize } from './authorize.ts';
import { type ParsedContext, parserOf, refuse } from './parse.ts';

export type AnyPublicHandler = PublicHandler<PublicEndpoint, Reads>;

/** What a token opens here is open to everybody. */
const anybody = { access: 'bearer', beforeEnrolment: true } as const;

/** Answers an endpoint that anybody may call: parse, then the handler. A token that comes along has to be good. */
export const publicAnswer = (deps: Deps, endpoint: PublicEndpoint, handler: AnyPublicHandler) => {
  const parse = parserOf(endpoint);

  const answerKnown = async (c: ParsedContext, authorization: string): Promise<Response> => {
    const now = deps.clock();
    const caller = await identify(deps, authorization, now);
    c.set('assertAuthorized', () => authorize(deps, anybody, caller, now, undefined, []));
    const { params, query, body } = await parse(c);
    const context = { ...requestContext(c, deps, now), params, query, body };
    let reads: Reads;
    try {
      reads = handler.reads?.(context) ?? [];
    } catch (error) {
      return refuse(c, error, params);
    }
    const { statements, resultOf } = readingOf(reads);
    const { actor, rows } = await authorize(deps, anybody, caller, now, undefined, statements);
    const known = { ...context, actor };
    return respond(c, await handler.answer(known, resultOf(rows)));
  };

  return async (c: ParsedContext): Promise<Response> => {
    const authorization = endpoint.takesToken ? c.req.header('Authorization') : undefined;
    if (authorization !== undefined) return answerKnown(c, authorization);
    const request = requestContext(c, deps, deps.clock());
    const parsing = parse(c);
    const { params, query, body } = parsing instanceof Promise ? await parsing : parsing;
    const context = { ...request, params, query, body, ...(endpoint.takesToken && { actor: null }) };
    const given = await read(deps.db, readingOf(handler.reads?.(context) ?? []));
    return respond(c, await handler.answer(context, given));
  };
};
