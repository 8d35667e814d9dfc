import { identify } from '../auth/bearer.ts';
import type { Deps } from '../deps.ts';
import type { GuardedEndpoint, GuardedHandler, Parts, Statements } from '../handler.ts';
import { requestContext } from '../http/context.ts';
import { respond, responseToStore } from '../http/respond.ts';
import { RequestRepeated } from '../idempotency/key.ts';
import { authorize } from './authorize.ts';
import { type ParsedContext, parserOf, refuse } from './parse.ts';
import { lookUp, type Replay, replay } from './replay.ts';

export type AnyGuardedHandler = GuardedHandler<GuardedEndpoint, unknown, Statements>;
type Params = Parts<GuardedEndpoint>['params'];

/** Answers an endpoint that takes a token: identify, parse, authorize, replay, and last the handler. */
export const guardedAnswer = (deps: Deps, endpoint: GuardedEndpoint, handler: AnyGuardedHandler) => {
  const parse = parserOf(endpoint);
  const { access } = endpoint;
  const { resource } = handler;

  /** `text` is the body that was read. Whoever loses the race to make the answer finds the stored one. */
  const answer = async (c: ParsedContext, text: string): Promise<Response> => {
    const now = deps.clock();
    const proof = identify(deps, c.req.header('Authorization'), now);
    const caller = proof instanceof Promise ? await proof : proof;
    const request = requestContext(c, deps, now);
    const named = (params: Params) =>
      resource && { read: resource.read({ ...request, params, caller }), resource };
    c.set('assertMayAsk', (params) => {
      const isNamed = endpoint.params === undefined || params !== undefined;
      return authorize(deps, access, caller, now, isNamed ? named(params as Params) : undefined, []);
    });

    const { key, params, query, body } = await parse(c);
    const parts = { params, query, body };
    let reads: Statements;
    try {
      reads = handler.reads?.({ ...request, ...parts, caller }) ?? [];
    } catch (error) {
      return refuse(c, error, parts.params);
    }
    const first = key === null ? null : await lookUp(c, deps, { userId: caller.userId, key, text, now });
    const all = first === null ? reads : [first.read, ...reads];
    const authorized = await authorize(deps, access, caller, now, named(parts.params), all);
    const { actor, login, rows } = authorized;
    if (first !== null) {
      const [stored] = rows.shift() as Replay[];
      if (stored !== undefined) return replay(c, stored, first.idempotency);
    }
    const storedResponseOf = responseToStore(
      first?.idempotency ?? null,
      request.language,
      endpoint.answersSecret,
    );
    try {
      const context = { ...request, ...parts, actor, login, storedResponseOf };
      return respond(c, await handler.answer(context, rows, authorized.resource));
    } catch (error) {
      if (error instanceof RequestRepeated) return answer(c, text);
      throw error;
    }
  };
  return answer;
};
