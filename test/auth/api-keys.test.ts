import { describe, expect, it } from 'vitest';
import { securityEvents } from '../../src/core/tables/accounts.ts';
import { replays } from '../../src/core/tables/idempotency.ts';
import { apiKeys } from '../../src/core/tables/keys.ts';
import { recentLoginMs } from '../../src/modules/auth/rules.ts';
import { createAdmin } from '../support/admin.ts';
import { everybodyConfirms } from '../support/factors.ts';
import { addKey } from '../support/keys.ts';
import { createPerson } from '../support/people.ts';
import { createWorld, type World } from '../support/world.ts';

const path = '/v1/admin/api-keys';
const wanted = { name: 'Mesin antrean lobi', scopes: ['bookings:read', 'queue:write'] };
const reads = (world: World, token: string) => world.request('/v1/bookings', { token });

const open = async (settings: Record<string, string> = {}) => {
  const world = await createWorld(settings);
  return { world, admin: await createAdmin(world) };
};

const eventsOf = async (world: World) =>
  (await world.db.select().from(securityEvents)).filter(({ type }) => type.startsWith('api_key_'));

describe('an API key', () => {
  it('is shown once, allows what its scopes say, and is stored only as a hash', async () => {
    const { world, admin } = await open();
    const made = await admin.post(path, { ...wanted, expires_at: '2027-01-01T00:00:00+07:00' });
    expect(made.status).toBe(201);
    const { key, ...shown } = made.body.data;
    expect(key).toMatch(/^janji_[\w-]{40}$/);
    expect(made.headers.get('Cache-Control')).toContain('no-store');
    expect(made.headers.get('Location')).toBe(`${path}/${shown.id}`);
    expect(shown).toMatchObject({
      ...wanted,
      prefix: key.slice(0, 10),
      status: 'active',
      created_by: admin.id,
      expires_at: '2026-12-31T17:00:00.000Z',
      last_used_at: null,
      revoked_at: null,
    });
    expect((await reads(world, key)).status).toBe(200);
    expect((await admin.get(`${path}/${shown.id}`)).body.data).toMatchObject({
      id: shown.id,
      status: 'active',
    });
    const listed = await admin.get(path);
    expect(listed.body.data).toHaveLength(1);
    const secret = key.slice(10);
    const stored = [
      ...(await world.db.select().from(apiKeys)),
      ...(await world.db.select().from(securityEvents)),
      ...(await world.db.select().from(replays)),
    ];
    expect(JSON.stringify([stored, listed.body])).not.toContain(secret);
  });

  it('of two that are made alike is another one', async () => {
    const { admin } = await open();
    const [one, two] = [await admin.post(path, wanted), await admin.post(path, wanted)];
    expect(one.body.data.key).not.toBe(two.body.data.key);
    expect(one.body.data.id).not.toBe(two.body.data.id);
  });

  it('is listed page by page, the newest first', async () => {
    const { world, admin } = await open();
    for (const name of ['satu', 'dua', 'tiga']) {
      await admin.post(path, { ...wanted, name });
      world.clock.now += 1_000;
    }
    const first = await admin.get(`${path}?limit=2`);
    expect(first.body.data.map(({ name }: { name: string }) => name)).toEqual(['tiga', 'dua']);
    expect(first.headers.get('Link')).toContain('rel="next"');
    const rest = await admin.get(`${path}?cursor=${first.body.meta.next_cursor}`);
    expect(rest.body.data.map(({ name }: { name: string }) => name)).toEqual(['satu']);
    expect(rest.body.meta.next_cursor).toBeNull();
  });

  it.each([
    ['no name', { scopes: wanted.scopes }, 'name'],
    ['no scope', { ...wanted, scopes: [] }, 'scopes'],
    ['a scope that there is not', { ...wanted, scopes: ['keys:write'] }, 'scopes.0'],
    ['an end that is over', { ...wanted, expires_at: '2026-11-23T00:00:00Z' }, 'expires_at'],
  ])('is not made with %s', async (_what, body, field) => {
    const { world, admin } = await open();
    const { status, body: answer } = await admin.post(path, body);
    expect([status, answer.code, Object.keys(answer.errors)]).toEqual([422, 'validation_failed', [field]]);
    expect(await world.db.select().from(apiKeys)).toEqual([]);
  });

  it('keeps each scope once', async () => {
    const { admin } = await open();
    const made = await admin.post(path, { ...wanted, scopes: ['queue:write', 'queue:write'] });
    expect(made.body.data.scopes).toEqual(['queue:write']);
  });

  it('is refused from the next request on once it is revoked, for good, and stays in the list', async () => {
    const { world, admin } = await open();
    const { id, key } = (await admin.post(path, wanted)).body.data;
    expect((await reads(world, key)).status).toBe(200);
    expect((await admin.remove(`${path}/${id}`)).status).toBe(200);
    const refused = await reads(world, key);
    expect(refused).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    expect(refused.headers.get('WWW-Authenticate')).toBe('Bearer realm="janji", error="invalid_token"');
    expect(refused.body.message).toBe('Kunci API ini tidak berlaku.');
    expect((await admin.get(path)).body.data).toMatchObject([{ id, status: 'revoked' }]);
    // Asked again after a lost answer, and after that there is nothing left to change.
    expect((await admin.remove(`${path}/${id}`)).status).toBe(200);
    expect((await admin.patch(`${path}/${id}`, { expires_at: null })).status).toBe(404);
    expect((await reads(world, key)).status).toBe(401);
    expect((await eventsOf(world)).map(({ type }) => type)).toEqual(['api_key_created', 'api_key_revoked']);
  });

  it('ends at its instant, which an admin may move', async () => {
    const { world, admin } = await open();
    const ends = { expires_at: '2026-11-23T00:05:00Z' };
    const { id, key } = (await admin.post(path, { ...wanted, ...ends })).body.data;
    world.clock.now += 5 * 60_000 - 1;
    expect((await reads(world, key)).status).toBe(200);
    world.clock.now += 1;
    expect((await reads(world, key)).status).toBe(401);
    expect((await admin.get(`${path}/${id}`)).body.data.status).toBe('expired');
    const late = await admin.patch(`${path}/${id}`, { expires_at: '2026-11-23T00:05:00Z' });
    expect([late.status, late.body.errors.expires_at]).toEqual([422, ['Harus setelah saat ini.']]);
    const renamed = await admin.patch(`${path}/${id}`, { name: 'Mesin baru', expires_at: null });
    expect(renamed.body.data).toMatchObject({ name: 'Mesin baru', expires_at: null, status: 'active' });
    expect((await reads(world, key)).status).toBe(200);
  });

  it('belongs to the clinic: it stays valid when its maker’s account is closed', async () => {
    const { world, admin } = await open();
    const { id, key } = (await admin.post(path, wanted)).body.data;
    const other = await createAdmin(world);
    expect((await other.post(`/v1/admin/people/${admin.id}/deactivate`)).status).toBe(200);
    expect((await reads(world, key)).status).toBe(200);
    expect((await other.get(`${path}/${id}`)).body.data.created_by).toBe(admin.id);
  });

  it('of one clinic opens nothing at another with the same database', async () => {
    const { world } = await open();
    const { token } = await addKey(world, ['bookings:read']);
    const other = await createWorld({ CLINIC_ID: 'klinik-lain' }, undefined, world.db);
    expect((await reads(world, token)).status).toBe(200);
    expect((await reads(other, token)).status).toBe(401);
  });
});

describe('making and ending keys', () => {
  it('is for admins', async () => {
    const world = await createWorld();
    for (const role of ['patient', 'doctor', 'staff'] as const) {
      const { token } = await createPerson(world, role);
      expect((await world.request(path, { token, body: wanted })).body.code).toBe('forbidden');
    }
  });

  it('needs a login of the last ten minutes', async () => {
    const { world, admin } = await open();
    const { id } = (await admin.post(path, wanted)).body.data;
    world.clock.now += recentLoginMs + 1;
    for (const asked of [
      () => admin.post(path, wanted),
      () => admin.patch(`${path}/${id}`, { name: 'Lain' }),
      () => admin.remove(`${path}/${id}`),
    ])
      expect(await asked()).toMatchObject({ status: 403, body: { code: 'reauthentication_required' } });
    expect((await admin.get(path)).status).toBe(200);
    await everybodyConfirms(world);
    expect((await admin.remove(`${path}/${id}`)).status).toBe(200);
  });

  it('leaves who, which key and which fields in the audit trail, and no value of them', async () => {
    const { world, admin } = await open();
    const { id } = (await admin.post(path, wanted)).body.data;
    await admin.patch(`${path}/${id}`, { name: 'Nama rahasia' });
    await admin.remove(`${path}/${id}`);
    const { body } = await admin.get('/v1/admin/security-events?limit=3');
    const by = { actor_id: admin.id };
    expect(body.data).toMatchObject([
      { type: 'api_key_revoked', ...by, detail: { api_key_id: id } },
      { type: 'api_key_changed', ...by, detail: { api_key_id: id, fields: 'name' } },
      { type: 'api_key_created', ...by, detail: { api_key_id: id, scopes: 'bookings:read,queue:write' } },
    ]);
    expect(JSON.stringify(await world.db.select().from(securityEvents))).not.toContain('rahasia');
  });

  it('makes one key for one Idempotency-Key, and stores no key to answer a repeat with', async () => {
    const { world, admin } = await open();
    const sent = { token: admin.token, body: wanted, headers: { 'Idempotency-Key': 'kunci-1' } };
    const together = await Promise.all([1, 2, 3].map(() => world.request(path, sent)));
    expect(together.map(({ status, body }) => body.code ?? status).sort()).toEqual([
      201,
      'idempotency_key_spent',
      'idempotency_key_spent',
    ]);
    const again = await world.request(path, sent);
    expect([again.status, again.body.code]).toEqual([409, 'idempotency_key_spent']);
    const other = await world.request(path, { ...sent, body: { ...wanted, name: 'Lain' } });
    expect(other.body.code).toBe('idempotency_key_reused');
    expect(await world.db.select().from(apiKeys)).toHaveLength(1);
    expect(await eventsOf(world)).toHaveLength(1);
    expect(await world.db.select().from(replays)).toMatchObject([{ status: 409, body: '{}' }]);
  });
});

describe('the last use of a key', () => {
  const setUp = async () => {
    const { world, admin } = await open();
    const { id, key } = (await admin.post(path, wanted)).body.data;
    const lastUsed = async () => {
      await Promise.all(world.background.splice(0));
      return (await admin.get(`${path}/${id}`)).body.data.last_used_at;
    };
    return { world, key, lastUsed };
  };

  it('is seen, to the minute', async () => {
    const { world, key, lastUsed } = await setUp();
    await reads(world, key);
    expect(await lastUsed()).toBe('2026-11-23T00:00:00.000Z');
    world.clock.now += 59_999;
    await reads(world, key);
    expect(await lastUsed()).toBe('2026-11-23T00:00:00.000Z');
    world.clock.now += 1;
    await reads(world, key);
    expect(await lastUsed()).toBe('2026-11-23T00:01:00.000Z');
  });

  it('is written once for many requests at once, after the answer', async () => {
    const { world, key } = await setUp();
    world.background.length = 0;
    await Promise.all(Array.from({ length: 20 }, () => reads(world, key)));
    expect(world.background).toHaveLength(1);
    world.clock.now += 30_000;
    await reads(world, key);
    expect(world.background).toHaveLength(1);
  });

  it('is also that of a request which the key may not make, and not of one that no key makes', async () => {
    const { world, key, lastUsed } = await setUp();
    expect((await world.request('/v1/auth/profile', { token: `${key.slice(0, -1)}!` })).status).toBe(401);
    expect(await lastUsed()).toBeNull();
    expect((await world.request('/v1/auth/profile', { token: key })).status).toBe(403);
    expect(await lastUsed()).toBe('2026-11-23T00:00:00.000Z');
  });
});
