import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../src/core/endpoint/endpoint.ts';
import { securityEvents, users } from '../../src/core/tables/accounts.ts';
import { bookingEvents } from '../../src/core/tables/webhooks.ts';
import { acts } from '../support/audited-acts.ts';
import { createScene, endpoints, nameOf, pathFor, type Scene } from '../support/scene.ts';
import { bodyFor } from '../support/shapes.ts';
import { password } from '../support/world.ts';

const mayAdmin = ({ access }: Endpoint): boolean => access === 'bearer' || access.includes('admin');
/** The request before a page uses or makes a passkey, or asks the provider of work accounts: a challenge, which is not stored. */
const writesNothing = new Set([
  '/v1/auth/second-factors/passkeys/options',
  '/v1/auth/reauthenticate/options',
  '/v1/auth/reauthenticate/sso',
]);
const isWrite = ({ method, access, path }: Endpoint): boolean =>
  method !== 'get' && access !== 'public' && !writesNothing.has(path);
const writes = endpoints.filter((e) => isWrite(e) && mayAdmin(e));
/** The writes that the receptionist role allows as well. */
const writesOfStaff = endpoints.filter(
  (e) => isWrite(e) && Array.isArray(e.access) && e.access.includes('staff'),
);
const cases = [
  ...writes.map((contract) => ['admin', nameOf(contract), contract] as const),
  ...writesOfStaff.map((contract) => ['staff', nameOf(contract), contract] as const),
];

const trailOf = async ({ world, clinic }: Scene, role: 'admin' | 'staff' = 'admin') => {
  const { id } = clinic[role];
  const security = (await world.db.select().from(securityEvents)).filter(({ actorId }) => actorId === id);
  // Webhook events of other subjects come beside an event of the trail.
  const ofBookings = (await world.db.select().from(bookingEvents)).filter(
    ({ actorId, type }) => actorId === id && type.startsWith('booking.'),
  );
  return [...security, ...ofBookings];
};

describe('every write of an admin or the reception leaves an event', () => {
  it('found the writes', () => {
    expect(writes.length).toBeGreaterThan(30);
    expect(writesOfStaff.length).toBeGreaterThan(15);
  });

  it.each(cases)('%s: %s', async (role, name, contract) => {
    const scene = await createScene();
    const { world, clinic } = scene;
    await world.db.update(users).set({ passwordHash: await world.deps.hasher.hash(password) });
    const asked = (await acts[name]?.(scene, role)) ?? {};
    const before = await trailOf(scene, role);
    const answer = await world.request(asked.path ?? pathFor(scene, contract), {
      method: contract.method.toUpperCase(),
      token: clinic[role].token,
      ...(contract.body !== undefined && { body: asked.body ?? bodyFor(scene, contract) }),
    });
    expect(
      `${answer.status} ${answer.body.code ?? ''}`,
      `add \`'${name}': () => ({ body: { … } }),\` to test/support/audited-acts.ts`,
    ).toMatch(/^20/);
    const after = await trailOf(scene, role);
    expect(
      after,
      'write one event with the change: `changeEvent` of src/modules/auth/audit/queries.ts',
    ).toHaveLength(before.length + 1);
    const [event] = after.filter(({ writeId }) => !before.some((known) => known.writeId === writeId));
    expect(event).toMatchObject({
      requestId: answer.headers.get('X-Request-Id'),
      occurredAt: world.clock.now,
    });
  });
});

describe('the trail of what admins change', () => {
  it('names who, what and which fields, and holds no value that was sent', async () => {
    const { world, clinic, ids } = await createScene();
    const token = clinic.admin.token;
    const at = (prefix: string) => `${prefix}${ids.find(([known]) => known === prefix)?.[1]}`;
    const path = at('/v1/admin/webhooks/');
    const body = { url: 'https://lain.klinik.example/rahasia', description: 'penanda' };
    await world.request(path, { method: 'PATCH', token, body });
    await world.request(`${path}/rotate-secret`, { method: 'POST', token });
    await world.request('/v1/auth/profile', { method: 'PATCH', token, body: { name: 'Penanda Baru' } });
    const trail = await world.request('/v1/admin/security-events?limit=3', { token });
    const webhook_id = path.split('/').at(-1);
    expect(trail.body.data).toMatchObject([
      { type: 'profile_changed', user_id: clinic.admin.id, detail: { fields: 'name' } },
      { type: 'webhook_secret_rotated', actor_id: clinic.admin.id, user_id: null, detail: { webhook_id } },
      { type: 'webhook_changed', detail: { webhook_id, fields: 'url,description' } },
    ]);
    const details = trail.body.data.map(({ detail }: { detail: object }) => detail);
    expect(JSON.stringify(details)).not.toMatch(/rahasia|penanda|whsec/i);
    const one = await world.request('/v1/admin/security-events?type=webhook_changed', { token });
    expect(one.body.data).toHaveLength(1);
  });

  it('records no change that did not happen', async () => {
    const scene = await createScene();
    const { world, clinic } = scene;
    const token = clinic.admin.token;
    const { doctorId, sessionId } = clinic.practice;
    const before = await trailOf(scene);
    const overlapping = { doctor_id: doctorId, session_id: sessionId, weekday: 1, start_time: '09:00:00' };
    const hours = { end_time: '10:00:00', slot_minutes: 30, capacity: 1 };
    const refused = await world.request('/v1/admin/schedules', { token, body: { ...overlapping, ...hours } });
    expect(refused.body.code).toBe('schedule_overlap');
    const late = { method: 'PATCH', token, body: { name: 'X', version: 99 } };
    expect((await world.request(`/v1/admin/doctors/${doctorId}`, late)).status).toBe(409);
    const nobody = crypto.randomUUID();
    const deliveries = `/v1/admin/webhooks/${scene.ids.find(([p]) => p.includes('webhooks'))?.[1]}/deliveries`;
    const replay = await world.request(`${deliveries}/${nobody}/replay`, { method: 'POST', token });
    expect(replay.status).toBe(404);
    expect(await trailOf(scene)).toEqual(before);
  });

  it('records once a change that two make at once', async () => {
    const scene = await createScene();
    const { world, clinic } = scene;
    const path = `/v1/admin/sessions/${clinic.practice.sessionId}`;
    const change = (name: string) =>
      world.request(path, { method: 'PATCH', token: clinic.admin.token, body: { name, version: 1 } });
    const answers = await Promise.all([change('A'), change('B'), change('C')]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const rows = (await world.db.select().from(securityEvents)).filter(
      ({ type }) => type === 'session_changed',
    );
    expect(rows).toHaveLength(1);
  });
});
