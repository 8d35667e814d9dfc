import type { Claims } from '../../core/crypto/token-keys.ts';
import type { Deps } from '../../core/deps.ts';
import { Failure } from '../../core/endpoint/errors.ts';
import { refusedToken } from '../../core/endpoint/refused-token.ts';
import { bearerExpected } from './sentences.ts';
import { claimsOfKnown, verifyAccessToken } from './tokens.ts';

// RFC 6750, 2.1 and RFC 9110, 11.1: the scheme's name is case-insensitive, the token is token68.
const bearerForm = /^bearer +([\w.~+/-]+=*)$/i;

const proved = (claims: Claims | null): Claims => {
  if (claims === null) throw refusedToken();
  return claims;
};

/** How an API key begins, and no token of a login. */
export const keyStart = 'janji_';
/** How one begins that opens the sandbox alone. */
export const testKeyStart = `${keyStart}test_`;

/**
 * Returns the claims of the access token in the Authorization header. An API key is passed to `identifyKey`. Two such
 * headers arrive joined in one value, which does not match.
 */
export const identify = <Key>(
  deps: Deps,
  authorization: string | undefined,
  now: number,
  identifyKey: (deps: Deps, key: string, now: number) => Promise<Key>,
): Claims | Promise<Claims | Key> => {
  if (authorization === undefined) throw new Failure('unauthenticated');
  const known = claimsOfKnown(deps.tokenKeys, authorization, now);
  if (known !== undefined) return proved(known);
  const token = bearerForm.exec(authorization)?.[1];
  if (token === undefined) throw new Failure('unauthenticated', { sentence: bearerExpected });
  if (token.startsWith(keyStart)) return identifyKey(deps, token, now);
  const claims = verifyAccessToken(deps.tokenKeys, token, now);
  return claims instanceof Promise ? claims.then(proved) : proved(claims);
};
