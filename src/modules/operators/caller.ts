import type { Context } from 'hono';
import { Failure } from '../../core/endpoint/errors.ts';
import type { AppEnv } from '../../core/http/context.ts';
import { hostCookieIn } from '../../core/http/pages/cookies.ts';
import { assertSameOrigin } from '../../core/http/pages/same-origin.ts';
import { readSession, type Session } from './login.ts';
import type { OperatorNeeds } from './needs.ts';

export const cookieName = 'janji-operator';
/** How an act names a program that had the secret. */
const secretOperator = 'OPERATOR_SECRET';

const leastSecretBytes = 32;

/** Who asks: a person on the page, or a program with the secret. */
export type Caller = { email: string; session: Session | null };

const digest = async (text: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));

/** Compared by digests, so that no time tells how much was right. */
const isSecret = async (given: string, secret: string): Promise<boolean> => {
  const [one, other] = await Promise.all([digest(given), digest(secret)]);
  return one.reduce((differs, byte, at) => differs | (byte ^ (other[at] ?? 0)), 0) === 0;
};

export const readToken = (c: Context<AppEnv>): string | undefined =>
  hostCookieIn(c.req.header('Cookie'), cookieName);

/** Throws unless an operator asks: with the secret, or logged in and from the page itself. */
export const identify = async (c: Context<AppEnv>, needs: OperatorNeeds): Promise<Caller> => {
  const [, given] = /^Bearer (.+)$/i.exec(c.req.header('Authorization') ?? '') ?? [];
  if (given === undefined) {
    // The cookie comes by itself with whatever a page of another site asks for.
    assertSameOrigin((name) => c.req.header(name));
    const session = await readSession(needs, readToken(c));
    return { email: session.email, session };
  }
  const { secret } = needs;
  if (secret === null || !(await isSecret(given, secret))) throw new Failure('unauthenticated');
  return { email: secretOperator, session: null };
};

/** The secret of a setting, or null where it is none or too short to be one. */
export const operatorSecret = (given: unknown): string | null =>
  typeof given === 'string' && new TextEncoder().encode(given).length >= leastSecretBytes ? given : null;
