import type { Claims } from '../crypto/token-keys.ts';
import type { Deps } from '../deps.ts';
import { Failure } from '../endpoint/errors.ts';

import { refusedToken } from '../endpoint/refused-token.ts';

import { verifyAccessToken } from './tokens.ts';

// RFC 6750, 2.1 and RFC 9110, 11.1: the scheme's name is case-insensitive, the token is token68.
const bearerForm = /^bearer +([\w.~+/-]+=*)$/i;

const proved = (claims: Claims | null): Claims => {
  if (claims === null) throw refusedToken();
  return claims;
};

/** The claims of the token in the Authorization header. Two such headers are joined to a value that does not match. */
export const identify = (
  deps: Deps,
  authorization: string | undefined,
  now: number,
): Claims | Promise<Claims> => {
  const token = bearerForm.exec(authorization ?? '')?.[1];
  if (token === undefined) throw new Failure('unauthenticated');
  const claims = verifyAccessToken(deps.tokenKeys, token, now);
  return claims instanceof Promise ? claims.then(proved) : proved(claims);
};
