import type { MiddlewareHandler } from 'hono';
import { verifyAccessToken } from '../auth/tokens.ts';
import type { Deps } from '../deps.ts';
import { Failure } from '../errors.ts';
import type { AppEnv } from './context.ts';

// RFC 6750, 2.1 and RFC 9110, 11.1: the scheme's name is case-insensitive, the token is token68.
const bearerForm = /^bearer +([\w.~+/-]+=*)$/i;

/** Puts a token's claims on the request, or refuses it. Two Authorization headers join to one that does not match. */
export const identify =
  (deps: Deps): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const token = bearerForm.exec(c.req.header('Authorization') ?? '')?.[1];
    if (token === undefined) throw new Failure('unauthenticated');
    const claims = await verifyAccessToken(deps.tokenKeys, token, deps.clock());
    if (claims === null) throw refusedToken();
    c.set('claims', claims);
    return next();
  };

/** The answer to a token that was presented and does not hold (RFC 6750, 3.1). */
export const refusedToken = (): Failure =>
  new Failure('unauthenticated', {
    headers: { 'WWW-Authenticate': 'Bearer realm="janji", error="invalid_token"' },
  });
