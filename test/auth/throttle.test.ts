import { type SQL, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { knownNetworks, throttles } from '../../src/core/tables/throttle.ts';
import { policies } from '../../src/modules/auth/throttle/rules.ts';
import { createWorld, password, registerPatient, type World } from '../support/world.ts';

const home = '198.51.100.1';
const elsewhere = '203.0.113.99';

const logIn = (world: World, email: string, typed: string, address = home) =>
  world.request('/v1/auth/login', {
    body: { email, password: typed },
    headers: { 'X-Test-Address': address },
  });

const statusesOf = async (count: number, attempt: (nth: number) => Promise<{ status: number }>) => {
  const statuses: number[] = [];
  for (let nth = 0; nth < count; nth++) statuses.push((await attempt(nth)).status);
  return statuses;
};

const throttledWorld = () => createWorld({ RATE_LIMIT: 'on' });

describe('guessing a password', () => {
  it('is let through five times, then waits for longer and longer, and says for how long', async () => {
    const world = await throttledWorld();
    const { email } = await registerPatient(world, {});
    expect(await statusesOf(6, () => logIn(world, email, 'wrong-password'))).toEqual([
      401, 401, 401, 401, 401, 429,
    ]);
    for (const seconds of [30, 60, 120, 240, 480, 900, 900]) {
      const refused = await logIn(world, email, 'wrong-password');
      expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
      expect(refused.headers.get('Retry-After')).toBe(String(seconds));
      world.clock.now += seconds * 1000 - 1;
      expect((await logIn(world, email, 'wrong-password')).status).toBe(429);
      world.clock.now += 1;
      expect((await logIn(world, email, 'wrong-password')).status).toBe(401);
    }
  });

  it('lets no more than five of 40 parallel guesses through', async () => {
    const world = await throttledWorld();
    const { email } = await registerPatient(world);
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => logIn(world, email, 'wrong-password')),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(35);
  });

  it('is refused before the password is looked at, even the right one', async () => {
    const world = await throttledWorld();
    const { email } = await registerPatient(world);
    await statusesOf(5, () => logIn(world, email, 'wrong-password'));
    expect((await logIn(world, email, password)).status).toBe(429);
  });

  it('starts again after a success, only for the pair of account and network', async () => {
    const world = await throttledWorld();
    const { email } = await registerPatient(world);
    for (let round = 0; round < 4; round++) {
      expect(await statusesOf(4, () => logIn(world, email, 'wrong-password'))).toEqual([401, 401, 401, 401]);
      expect((await logIn(world, email, password)).status).toBe(200);
    }
    const counters = await world.db.select().from(throttles);
    // Of the registration's three counters and the login's network, only the login's pair is gone.
    expect(counters.length).toBeGreaterThan(2);
  });

  it('from elsewhere does not lock the patient out of a network that was used before', async () => {
    const world = await throttledWorld();
    const { email } = await registerPatient(world);
    expect((await logIn(world, email, password)).status).toBe(200);
    for (let nth = 0; nth < 60; nth++) await logIn(world, email, 'wrong-password', `192.0.2.${nth}`);
    expect((await logIn(world, email, 'wrong-password', elsewhere)).status).toBe(429);
    expect((await logIn(world, email, password)).status).toBe(200);
  });

  it('of one account from many networks is counted together', async () => {
    const world = await throttledWorld();
    const { email } = await registerPatient(world);
    const statuses = await statusesOf(30, (nth) => logIn(world, email, 'wrong-password', `192.0.2.${nth}`));
    expect(statuses.filter((status) => status === 401)).toHaveLength(policies.login.account.free);
  });

  it('of many accounts from one network is counted together, IPv6 by /64', async () => {
    const world = await throttledWorld();
    world.deps.hasher.verifyNothing = async () => false;
    const statuses = await statusesOf(110, (nth) =>
      logIn(world, `orang${nth}@klinik.example`, 'wrong-password', `2001:db8::${nth.toString(16)}`),
    );
    expect(statuses.filter((status) => status === 401)).toHaveLength(policies.login.network.free);
    const neighbour = await logIn(world, 'orang@klinik.example', 'x', '2001:db8:0:1::1');
    expect(neighbour.status).toBe(401);
  });

  it('gets nowhere near 100 tries an hour', async () => {
    const world = await throttledWorld();
    const { email } = await registerPatient(world);
    let tried = 0;
    for (let second = 0; second < 3600; second += 10) {
      if ((await logIn(world, email, 'wrong-password')).status === 401) tried += 1;
      world.clock.now += 10_000;
    }
    expect(tried).toBeLessThan(15);
  });
});

describe('the rate limit headers', () => {
  it('say how many attempts are left, as the draft defines', async () => {
    const world = await throttledWorld();
    const first = await logIn(world, 'nobody@klinik.example', 'wrong-password');
    expect(first.headers.get('RateLimit-Policy')).toBe('"login";q=5;w=9000');
    expect(first.headers.get('RateLimit')).toBe('"login";r=4;t=1800');
    await statusesOf(4, () => logIn(world, 'nobody@klinik.example', 'wrong-password'));
    const refused = await logIn(world, 'nobody@klinik.example', 'wrong-password');
    expect(refused.headers.get('RateLimit')).toBe('"login";r=0;t=30');
  });

  it('do not depend on whether the account exists', async () => {
    const world = await throttledWorld();
    const { email } = await registerPatient(world);
    const headersOf = async (address: string) => {
      const statuses: string[] = [];
      for (let nth = 0; nth < 8; nth++) {
        const { status, headers } = await logIn(world, address, 'wrong-password', elsewhere);
        const shownHeaders = [...headers].filter(([name]) => name !== 'x-request-id');
        statuses.push(JSON.stringify([status, shownHeaders]));
      }
      return statuses;
    };
    expect(await headersOf(email)).toEqual(await headersOf('nobody@klinik.example'));
  });
});

describe('the other endpoints', () => {
  it('limit registrations from one network', async () => {
    const world = await throttledWorld();
    const register = (nth: number) =>
      world.request('/v1/auth/register', {
        body: {
          name: 'Orang',
          phone_number: '8123456789',
          phone_country_code: '62',
          email: `orang${nth}@klinik.example`,
          password,
          password_confirmation: password,
        },
      });
    const statuses = await statusesOf(35, register);
    expect(statuses.filter((status) => status === 201)).toHaveLength(policies.register.network.free);
    expect(statuses.at(-1)).toBe(429);
  });

  it('limit refreshes with one token', async () => {
    const world = await throttledWorld();
    const refresh = () => world.request('/v1/auth/refresh', { body: { refresh_token: 'guess' } });
    const statuses = await statusesOf(61, refresh);
    expect(statuses.at(-2)).toBe(401);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('the counters', () => {
  it('hold no e-mail and no address', async () => {
    const world = await throttledWorld();
    const { email } = await registerPatient(world);
    await logIn(world, email, password);
    const stored = JSON.stringify([
      await world.db.select().from(throttles),
      await world.db.select().from(knownNetworks),
    ]);
    expect(stored).not.toContain(email);
    expect(stored).not.toContain(home);
    expect(stored.length).toBeGreaterThan(100);
  });

  it('fail closed when they cannot be read', async () => {
    const world = await throttledWorld();
    const { email } = await registerPatient(world);
    // The counters' own table is taken away; all that a login needs besides is there.
    const { run } = world.db as unknown as { run: (query: SQL) => Promise<unknown> };
    await run.call(world.db, sql`drop table throttles`);
    world.deps.log.error = () => {};
    const refused = await logIn(world, email, password);
    expect(refused).toMatchObject({ status: 500, body: { code: 'internal' } });
    expect(refused.body.data).toBeUndefined();
  });
});
