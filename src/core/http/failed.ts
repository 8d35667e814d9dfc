import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { refersToNobody } from '../db/conflict.ts';
import type { Deps } from '../deps.ts';
import { Failure, findCause, Unavailable } from '../endpoint/errors.ts';
import type { AppEnv } from './context.ts';
import { respondFailure } from './respond.ts';

/** Names of the errors down the chain: enough to find the place, and none of the parameters they may quote. */
const describe = (error: unknown): string[] => {
  const names: string[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    // Recognised by its shape, because the bundle has no class names; its message contains the parameters.
    const isQuery = 'query' in cause && 'params' in cause;
    names.push(isQuery ? 'DrizzleQueryError' : `${cause.name}: ${cause.message.split('\n')[0]}`);
  }
  return names;
};

/** Where an error arose: the lines of its stack without those of its text. */
const listStackLines = (error: unknown): string[] =>
  (error instanceof Error ? (error.stack ?? '') : '')
    .split('\n')
    .filter((line) => /^ +at /.test(line))
    .slice(0, 7);

/** Answers a thrown error: a Failure by its own status, an unavailable database with 503, and any other with 500. */
export const failureAnswer =
  (logOf: (c: Context<AppEnv>) => Deps['log']) =>
  (error: unknown, c: Context<AppEnv>): Response => {
    if (error instanceof Failure) return respondFailure(c, error.code, error.details);
    if (error instanceof HTTPException && error.status === 400) return respondFailure(c, 'malformed_json');
    const unavailable = findCause(error, Unavailable);
    const fields = {
      request_id: c.get('arrival').requestId,
      method: c.req.method,
      route: c.req.routePath,
      causes: describe(error),
    };
    // Something else that the write named was deleted meanwhile: the same request is answered by what is left.
    if (unavailable !== null || refersToNobody(error)) {
      logOf(c).warn('unavailable', fields);
      return respondFailure(c, 'unavailable');
    }
    logOf(c).error('internal', { ...fields, stack: listStackLines(error) });
    return respondFailure(c, 'internal');
  };
