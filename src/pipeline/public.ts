import { read } from '../db/db.ts';
import type { Deps } from '../deps.ts';
import { type PublicEndpoint, type PublicHandler, type Reads, readingOf } from '../handler.ts';
import { requestContext } from '../http/context.ts';
import { respond } from '../http/respond.ts';
import { type ParsedContext, parserOf } from './parse.ts';

export type AnyPublicHandler = PublicHandler<PublicEndpoint, Reads>;

/** Answers an endpoint that anybody may call: parse, then the handler. */
export const publicAnswer = (deps: Deps, endpoint: PublicEndpoint, handler: AnyPublicHandler) => {
  const parse = parserOf(endpoint);
  return async (c: ParsedContext): Promise<Response> => {
    const request = requestContext(c, deps, deps.clock());
    const { params, query, body } = await parse(c);
    const context = { ...request, params, query, body };
    const given = await read(deps.db, readingOf(handler.reads?.(context) ?? []));
    return respond(c, await handler.answer(context, given));
  };
};
