import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { createTokenKeys } from '../../src/core/crypto/token-keys.ts';
import { scopes } from '../../src/core/endpoint/endpoint.ts';
import { apiKeys } from '../../src/core/tables/keys.ts';
import { throttles } from '../../src/core/tables/throttle.ts';
import { bookAs, type Opened, open, revoke } from '../support/api-keys.ts';
import { beforeRoundTrip } from '../support/interleave.ts';
import { addKey } from '../support/keys.ts';
import { queryOf } from '../support/plans.ts';
import { createWorld, findKeys, type World } from '../support/world.ts';

/** The texts of all statements that the service sends meanwhile. */
const statementsOf = async (world: World, meanwhile: () => Promise<unknown>): Promise<string[]> => {
  const { db } = world;
  const asked: string[] = [];
  const batch = async (statements: Parameters<typeof db.batch>[0]) => {
    asked.push(...statements.map((statement) => queryOf(statement).sql));
    return db.batch(statements);
  };
  world.deps.db = new Proxy(db, {
    get: (target, name) => (name === 'batch' ? batch : Reflect.get(target, name)),
  });
  await meanwhile();
  world.deps.db = db;
  return asked;
};

describe('the limits of keys', () => {
  const limited = { RATE_LIMIT: 'on', API_KEY_REQUESTS_PER_MINUTE: '3' };
  const list = (world: World, token: string) => world.request('/v1/bookings', { token });
  it('count each key by itself, tell what is left, and open again as the minute passes', async () => {
    const { world, clinic, key } = await open(limited);
    const left: (string | null)[] = [];
    for (let nth = 0; nth < 3; nth++) left.push((await list(world, key.token)).headers.get('RateLimit'));
    expect(left).toEqual(['"requests";r=2;t=20', '"requests";r=1;t=40', '"requests";r=0;t=60']);
    const refused = await list(world, key.token);
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
    expect(refused.headers.get('Retry-After')).toBe('20');
    const other = await addKey(world, scopes);
    expect((await list(world, other.token)).status).toBe(200);
    expect((await list(world, clinic.staff.token)).status).toBe(200);
    world.clock.now += 20_000;
    expect((await list(world, key.token)).status).toBe(200);
    expect((await list(world, key.token)).status).toBe(429);
  });

  it('hold when all come at once', async () => {
    const { world, key } = await open(limited);
    const answers = await Promise.all(Array.from({ length: 9 }, () => list(world, key.token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(6);
  });

  it('refuse without a query once the allowance is known to be used up', async () => {
    const { world, key } = await open({ ...limited, API_KEY_REQUESTS_PER_MINUTE: '1' });
    await list(world, key.token);
    const seen = beforeRoundTrip(world, 99, async () => {});
    expect((await list(world, key.token)).status).toBe(429);
    expect(seen.roundTrips).toBe(0);
  });

  it('slow down a network that tries invalid keys, but not its valid keys', async () => {
    const { world, key } = await open({ RATE_LIMIT: 'on' });
    const elsewhere = await createWorld({ RATE_LIMIT: 'on', CLINIC_ID: 'klinik-lain' }, undefined, world.db);
    const { token } = await addKey({ ...elsewhere, db: world.db }, scopes, { revokedAt: 1 });
    await world.db.delete(apiKeys).where(eq(apiKeys.revokedAt, 1));
    const statuses: number[] = [];
    for (let nth = 0; nth < 21; nth++) statuses.push((await list(world, token)).status);
    expect(statuses).toEqual([...Array(20).fill(401), 429]);
    expect((await list(world, key.token)).status).toBe(200);
    const fromAfar = { token, headers: { 'X-Test-Address': '198.51.100.9' } };
    expect((await world.request('/v1/bookings', fromAfar)).status).toBe(401);
    // One that was revoked is no guess.
    await revoke({ world, key } as Opened);
    expect((await list(world, key.token)).status).toBe(401);
  });

  it('are no business of what is no key at all: the database is not asked', async () => {
    const { world, key } = await open({ RATE_LIMIT: 'on' });
    const seen = beforeRoundTrip(world, 99, async () => {});
    for (const token of [
      'janji_',
      `${key.token}A`,
      key.token.slice(0, -1),
      key.token.replace('janji_', 'janji_-'),
      key.token.replace('janji_', 'janji'),
      `${key.token.slice(0, -1)}.`,
    ])
      expect((await list(world, token)).status).toBe(401);
    expect(seen.roundTrips).toBe(0);
    expect(await world.db.select().from(throttles)).toEqual([]);
  });
});

describe('a key that somebody invents', () => {
  const forgedFrom = (token: string) =>
    `${token.slice(0, 12)}${token[12] === 'A' ? 'B' : 'A'}${token.slice(13)}`;
  it('makes the database read nothing but whether there is such a key', async () => {
    const { world, key } = await open();
    const asked = await statementsOf(world, () =>
      world.request('/v1/admin/statistics?from=2026-01-01&to=2026-12-31', { token: forgedFrom(key.token) }),
    );
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain('from "api_keys"');
  });

  it('and one that was made before DATA_KEY changed still opens, with a round trip more at first', async () => {
    const { world, key } = await open();
    const changed = await createWorld(
      { JWT_SECRET: 'another-secret-of-thirty-two-bytes-or-more' },
      undefined,
      world.db,
    );
    changed.deps.tokenKeys = await createTokenKeys(
      await findKeys('another-secret-of-thirty-two-bytes-or-more'),
    );
    const trips: number[] = [];
    for (let nth = 0; nth < 2; nth++) {
      const seen = beforeRoundTrip(changed, 99, async () => {});
      expect((await changed.request('/v1/bookings', { token: key.token })).status).toBe(200);
      await Promise.all(changed.background.splice(0));
      trips.push(seen.roundTrips);
      changed.clock.now += 1_000;
    }
    // The line of the list is the fourth.
    expect(trips).toEqual([4, 1]);
  });
});

describe('a key costs', () => {
  it('one round trip to read a list, one more for the line of a record, and two to write, as a login does', async () => {
    const opened = await open({ RATE_LIMIT: 'on' });
    const { world, key, clinic } = opened;
    const lists = ['/v1/bookings', '/v1/bookings/changes?after=0'];
    for (const path of lists) await world.request(path, { token: key.token });
    await Promise.all(world.background.splice(0));
    const read = beforeRoundTrip(world, 99, async () => {});
    for (const path of [...lists, `/v1/patients/${clinic.patient.id}`])
      expect((await world.request(path, { token: key.token })).status).toBe(200);
    expect(read.roundTrips).toBe(4);
    const written = beforeRoundTrip(world, 99, async () => {});
    expect((await bookAs(opened, {}, { 'Idempotency-Key': 'sekali' })).status).toBe(201);
    expect(written.roundTrips).toBe(2);
  });

  it('a person nothing: no read of theirs asks about keys', async () => {
    const { world, clinic } = await open();
    const asked = await statementsOf(world, async () => {
      for (const path of ['/v1/auth/profile', '/v1/bookings/history', '/v1/bookings'])
        expect((await world.request(path, { token: clinic.staff.token })).status).toBe(200);
    });
    expect(asked.length).toBeGreaterThan(3);
    expect(asked.filter((sql) => sql.includes('api_keys'))).toEqual([]);
  });
});
