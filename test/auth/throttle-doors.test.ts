import { describe, expect, it } from 'vitest';
import { throttles } from '../../src/core/tables/throttle.ts';
import { createWorld, password, registerPatient, type World } from '../support/world.ts';

const second = 1_000;
const minute = 60 * second;
const day = 24 * 60 * minute;
const home = '198.51.100.1';

/** An attempt at an endpoint for an account, which is an e-mail or a token, from an address. */
type Attempt = (world: World, account: string, address: string) => ReturnType<World['request']>;
const asking =
  (path: string, bodyOf: (account: string) => object): Attempt =>
  (world, account, address) =>
    world.request(`/v1/auth/${path}`, { body: bodyOf(account), headers: { 'X-Test-Address': address } });

const emailOf = (account: string) => `${account}@klinik.example`;
const doors: Record<string, Attempt> = {
  login: asking('login', (account) => ({ email: emailOf(account), password: 'wrong-password' })),
  register: asking('register', (account) => ({
    name: 'Orang',
    phone_number: '8123456789',
    phone_country_code: '62',
    email: emailOf(account),
    password,
    password_confirmation: password,
  })),
  refresh: asking('refresh', (account) => ({ refresh_token: account })),
  forgot: asking('password/forgot', (account) => ({ email: emailOf(account) })),
  reset: asking('password/reset', (account) => ({
    token: account,
    password,
    password_confirmation: password,
  })),
};
const door = (name: string) => doors[name] as Attempt;

const throttledWorld = async () => {
  const world = await createWorld({ RATE_LIMIT: 'on' });
  // The throttle runs before hashing.
  world.deps.hasher = { ...world.deps.hasher, hash: async () => 'x', verifyNothing: async () => false };
  return world;
};

/** Asks so often, whatever is answered, and then once more. */
const askedBefore = async (count: number, ask: (nth: number) => ReturnType<Attempt>) => {
  const answers = [];
  for (let nth = 0; nth < count; nth++) answers.push((await ask(nth)).status);
  expect(answers.filter((status) => status === 429)).toEqual([]);
  return ask(count);
};

/** The account and the address of the nth attempt, such that only one counter fills. */
const scopes: Record<'pair' | 'account' | 'network', (nth: number) => [account: string, address: string]> = {
  pair: () => ['orang', home],
  account: (nth) => ['orang', `192.0.${nth >> 8}.${nth & 255}`],
  network: (nth) => [`orang${nth}`, home],
};

describe('each limited endpoint allows some attempts, then asks to wait, and recovers with time', () => {
  it.each([
    ['login', 'pair', 5, 30, 1_800],
    ['login', 'account', 20, 30, 300],
    ['login', 'network', 100, 5, 30],
    ['register', 'pair', 5, 30, 1_800],
    ['register', 'account', 10, 30, 900],
    ['register', 'network', 30, 30, 120],
    ['refresh', 'pair', 60, 1, 10],
    ['refresh', 'account', 120, 1, 10],
    ['refresh', 'network', 300, 1, 1],
    ['forgot', 'pair', 3, 60, 1_800],
    ['forgot', 'account', 6, 60, 1_800],
    ['forgot', 'network', 20, 30, 120],
    ['reset', 'pair', 10, 10, 300],
    ['reset', 'account', 20, 10, 300],
    ['reset', 'network', 20, 30, 120],
  ] as const)(
    '%s, of one %s: %i times, then %i s, one more every %i s',
    async (name, scope, free, wait, drain) => {
      const world = await throttledWorld();
      const refused = await askedBefore(free, (nth) => door(name)(world, ...scopes[scope](nth)));
      const counter = scope === 'pair' ? `"${name}"` : `"${name}-${scope}"`;
      expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
      expect(refused.headers.get('Retry-After')).toBe(String(wait));
      expect(refused.headers.get('RateLimit')).toBe(`${counter};r=0;t=${wait}`);
      expect(refused.headers.get('RateLimit-Policy')).toBe(`${counter};q=${free};w=${free * drain}`);
    },
  );

  it('and what was tried at one counts at no other', async () => {
    const world = await throttledWorld();
    for (const name of ['register', 'forgot', 'login', 'forgot', 'forgot', 'login'])
      expect((await door(name)(world, 'orang', home)).status).not.toBe(429);
    expect((await door('login')(world, 'orang', home)).headers.get('RateLimit')).toContain('r=2');
    expect((await door('forgot')(world, 'orang', home)).status).toBe(429);
    for (let nth = 0; nth < 20; nth++) await door('forgot')(world, `orang${nth}`, home);
    expect((await door('forgot')(world, 'siapa', home)).status).toBe(429);
    for (const name of ['login', 'reset', 'refresh'])
      expect((await door(name)(world, 'siapa', home)).status).not.toBe(429);
  });
});

describe('an attempt', () => {
  it('is forgotten after its time, to the millisecond, one after the other', async () => {
    const world = await throttledWorld();
    const left = async () =>
      (await door('forgot')(world, 'orang', home)).headers.get('RateLimit')?.replace(/.*r=(\d+).*/, '$1');
    expect(await left()).toBe('2');
    world.clock.now += 30 * minute;
    expect(await left()).toBe('2');
    world.clock.now += 30 * minute - 1;
    expect(await left()).toBe('1');
    world.clock.now += 30 * minute;
    expect(await left()).toBe('1');
    world.clock.now += 60 * minute;
    expect(await left()).toBe('2');
  });

  it('that was refused counts nowhere: who goes on asking waits no longer', async () => {
    const world = await throttledWorld();
    const ask = () => door('forgot')(world, 'orang', home);
    for (const expected of ['r=2;t=1800', 'r=1;t=3600', 'r=0;t=5400'])
      expect((await ask()).headers.get('RateLimit')).toBe(`"forgot";${expected}`);
    expect((await ask()).headers.get('RateLimit')).toBe('"forgot";r=0;t=60');
    for (let nth = 0; nth < 5; nth++) {
      world.clock.now += 10 * second;
      expect((await ask()).headers.get('Retry-After')).toBe(String(50 - nth * 10));
    }
    world.clock.now += 10 * second;
    expect((await ask()).status).toBe(202);
  });

  it('is stored as long as it has an effect, and no longer', async () => {
    const world = await throttledWorld();
    for (let nth = 0; nth < 6; nth++) {
      const { headers } = await door('forgot')(world, 'orang', home);
      const rows = await world.db.select().from(throttles);
      for (const row of rows) expect(row.expiresAt).toBe(Math.max(row.emptyAt, row.blockedUntil));
      expect(rows).toHaveLength(3);
      world.clock.now += Number(headers.get('Retry-After') ?? 0) * second;
    }
  });
});

describe('a network from which an account was opened', () => {
  const guessFromAfar = async (world: World, email: string) => {
    for (let nth = 0; nth < 25; nth++) await door('login')(world, email.replace(/@.*/, ''), `192.0.2.${nth}`);
  };
  /** Logged in to from home: once, or twice 100 days apart. */
  const opened = async (times = 1) => {
    const world = await createWorld({ RATE_LIMIT: 'on' });
    const { email } = await registerPatient(world);
    const body = { email, password };
    const logIn = (address = home) =>
      world.request('/v1/auth/login', { body, headers: { 'X-Test-Address': address } });
    for (let nth = 1; nth <= times; nth++) {
      expect((await logIn()).status).toBe(200);
      if (nth < times) world.clock.now += 100 * day;
    }
    world.deps.hasher = { ...world.deps.hasher, verifyNothing: async () => false, verify: async () => false };
    return { world, email, logIn };
  };

  it('is not held up by guesses from elsewhere for 180 days, to the millisecond', async () => {
    const { world, email, logIn } = await opened();
    world.clock.now += 180 * day - 1;
    await guessFromAfar(world, email);
    expect((await logIn('203.0.113.50')).status).toBe(429);
    expect((await logIn()).status).toBe(401);
    world.clock.now += 1;
    expect((await logIn()).status).toBe(429);
  });

  it('is known from its last login on, not from its first', async () => {
    const { world, email, logIn } = await opened(2);
    world.clock.now += 100 * day;
    await guessFromAfar(world, email);
    expect((await logIn()).status).toBe(401);
  });

  it('is known only for that account, and still has the limits of a pair and a network', async () => {
    const { world, logIn } = await opened();
    await guessFromAfar(world, 'orang@klinik.example');
    expect((await door('login')(world, 'orang', home)).status).toBe(429);
    for (let nth = 0; nth < 5; nth++) expect((await logIn()).status).toBe(401);
    expect((await logIn()).status).toBe(429);
  });
});

describe('a success', () => {
  it('forgets the wrong passwords of its own network, not those from elsewhere', async () => {
    const world = await createWorld({ RATE_LIMIT: 'on' });
    const { email } = await registerPatient(world);
    const logIn = async (typed: string, address: string) => {
      const body = { email, password: typed };
      const sent = { body, headers: { 'X-Test-Address': address } };
      return (await world.request('/v1/auth/login', sent)).status;
    };
    const guess = async (count: number, address: string) => {
      for (let nth = 0; nth < count; nth++) expect(await logIn('wrong-password', address)).toBe(401);
    };
    await guess(4, home);
    await guess(4, '203.0.113.99');
    expect(await logIn(password, home)).toBe(200);
    await guess(5, home);
    await guess(1, '203.0.113.99');
    for (const address of [home, '203.0.113.99']) expect(await logIn(password, address)).toBe(429);
  });
});
