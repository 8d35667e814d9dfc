import { eq } from 'drizzle-orm';
import type { JWTPayload } from 'jose';
import { users } from '../../src/core/tables/accounts.ts';
import { cookiesOf, jar, own } from './page-login.ts';
import { createIssuer, oidcSettings } from './peers/oidc.ts';
import { createPerson } from './people.ts';
import { createWorld, type Sent } from './world.ts';

/** A clinic whose people log in by a provider, and somebody's browser. */
export const createSso = async (
  settings: Record<string, string> = {},
  algorithm: 'RS256' | 'ES256' = 'RS256',
) => {
  const world = await createWorld({ ...oidcSettings, ...settings });
  const issuer = await createIssuer(() => world.clock.now, oidcSettings, algorithm);
  Object.assign(world.deps, { askPartner: issuer.ask });
  const logged: string[] = [];
  world.deps.log.warn = (...line) => void logged.push(JSON.stringify(line));
  const post = (path: string, body: object, cookie = '', sent: Sent = {}) =>
    world.request(path, { body, headers: { ...own, ...(cookie !== '' && { Cookie: cookie }) }, ...sent });
  const begin = async () => {
    const got = await post('/v1/auth/sso', {});
    if (got.status !== 200) throw new Error(`Not begun: ${JSON.stringify(got.body)}`);
    return { url: got.body.data.url as string, cookie: jar(...cookiesOf(got)) };
  };
  const finish = (response: string, cookie: string) => post('/v1/auth/sso/finish', { response }, cookie);
  /** The whole way of somebody of whom the provider says this. */
  const logIn = async (person: JWTPayload) => {
    const { url, cookie } = await begin();
    return finish(issuer.authorize(url, person), cookie);
  };
  const staff = await createPerson(world, 'staff');
  const row = async (id: string) => (await world.db.select().from(users).where(eq(users.id, id)))[0];
  const rina = { sub: 'rina-1', email: staff.email, email_verified: true, name: 'Rina' };
  return { world, issuer, post, begin, finish, logIn, staff, row, rina, logged };
};

export const refused = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
