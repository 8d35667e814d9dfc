import { describe, expect, it } from 'vitest';
import { runWaitlist } from '../../src/booking/waitlist/job.ts';
import type { Endpoint } from '../../src/endpoint/endpoint.ts';
import { securityEvents, users } from '../../src/tables/accounts.ts';
import { bookingEvents } from '../../src/tables/webhooks.ts';
import { createPasskey } from '../support/authenticator.ts';
import { bookingInput, createClosure } from '../support/clinic.ts';
import { addFactor, appCode } from '../support/factors.ts';
import { beginPasskey } from '../support/passkeys.ts';
import { addDevice, createPerson } from '../support/people.ts';
import { createScene, endpoints, nameOf, pathFor, type Scene } from '../support/scene.ts';
import { bodyFor } from '../support/shapes.ts';
import { password } from '../support/world.ts';

type Asked = { path?: string; body?: unknown };
type Act = (scene: Scene) => Asked | Promise<Asked>;

/** A booking in the state that a verb needs, made by its patient. */
const booking =
  (
    verb: string,
    before: readonly string[] = [],
    fields: Record<string, unknown> = {},
    body: object = {},
  ): Act =>
  async ({ world, clinic }) => {
    const token = clinic.admin.token;
    const made = await world.request('/v1/bookings', {
      token: clinic.stranger.token,
      body: bookingInput(clinic.practice, fields),
    });
    const path = `/v1/bookings/${made.body.data.id}`;
    for (const step of before) await world.request(`${path}/${step}`, { method: 'POST', token, body: {} });
    return { path: `${path}/${verb}`, body };
  };

/** A child of the admin. */
const childOf = async ({ world, clinic }: Scene): Promise<string> => {
  const body = { name: 'Anak Admin', birth_date: '2019-04-23', relation: 'child' };
  return (await world.request('/v1/family', { token: clinic.admin.token, body })).body.data.id;
};

/** A series of one date: one event. */
const seriesOfOne = ({ practice, stranger }: Scene['clinic']) => ({
  ...bookingInput(practice, { patient_id: stranger.id, schedule_time: '15:00:00' }),
  count: 1,
});

/** What somebody waits for on a day with free seats. */
const wishOf = ({ practice, stranger }: Scene['clinic']) => ({
  ...{ session_id: practice.sessionId, patient_id: stranger.id },
  ...{ from: '2026-11-24', to: '2026-11-24' },
});

/** The answer to a seat that is offered to a patient of the desk. */
const offer =
  (verb: 'accept' | 'decline'): Act =>
  async ({ world, clinic }) => {
    const { token } = clinic.staff;
    const made = await world.request('/v1/waitlist', { token, body: wishOf(clinic) });
    await runWaitlist(world.deps, world.clock.now);
    return { path: `/v1/waitlist/${made.body.data.id}/${verb}`, body: {} };
  };

/** What an admin has to send where a sample of every field would not do. */
const acts: Readonly<Record<string, Act>> = {
  'POST /v1/auth/password': () => ({
    body: { current_password: password, password: 'sandi-baru-42', password_confirmation: 'sandi-baru-42' },
  }),
  'PATCH /v1/auth/notices': () => ({ body: { language: 'en' } }),
  'PATCH /v1/auth/profile': () => ({ body: { name: 'Nama Baru' } }),
  'DELETE /v1/auth/devices/{id}': async ({ world, clinic }) => ({
    path: `/v1/auth/devices/${(await addDevice(world, clinic.admin.id, 'admin')).deviceLoginId}`,
  }),
  'DELETE /v1/auth/devices': async ({ world, clinic }) => {
    await addDevice(world, clinic.admin.id, 'admin');
    return {};
  },
  'DELETE /v1/auth/account': async ({ world }) => {
    await createPerson(world, 'admin');
    return {};
  },
  'POST /v1/auth/consents': async ({ world, clinic }) => {
    const body = { consent_version: '2026-11' };
    await world.request('/v1/admin/clinic', { method: 'PATCH', token: clinic.admin.token, body });
    return { body };
  },
  'POST /v1/auth/email/verify': async ({ world, clinic }) => {
    await world.request('/v1/auth/email/code', { method: 'POST', token: clinic.admin.token });
    await Promise.all(world.background.splice(0));
    return { body: { code: /\n(\d{4} \d{4})\n/.exec(world.mails.at(-1)?.text ?? '')?.[1] } };
  },
  'POST /v1/auth/reauthenticate': () => ({ body: { password } }),
  'POST /v1/auth/email/change': () => ({ body: { email: 'lain@klinik.example' } }),
  'POST /v1/auth/email/change/verify': async ({ world, clinic }) => {
    const { token } = clinic.admin;
    await world.request('/v1/auth/email/change', { token, body: { email: 'lain@klinik.example' } });
    await Promise.all(world.background.splice(0));
    const letter = world.mails.findLast(({ to }) => to === 'lain@klinik.example');
    return { body: { code: /\n(\d{4} \d{4})\n/.exec(letter?.text ?? '')?.[1] } };
  },
  'POST /v1/auth/second-factors/totp/confirm': async ({ world, clinic }) => {
    const path = '/v1/auth/second-factors/totp';
    const begun = await world.request(path, { method: 'POST', token: clinic.admin.token });
    return { body: { code: appCode(begun.body.data.secret, world.clock.now) } };
  },
  'POST /v1/auth/second-factors/passkeys': async ({ world, clinic }) => {
    const { challenge, public_key } = (await beginPasskey(world, clinic.admin.token)).body.data;
    return { body: { challenge, credential: await (await createPasskey()).create(public_key) } };
  },
  'POST /v1/auth/second-factors/recovery-codes': async ({ world, clinic }) => {
    await addFactor(world, clinic.admin.id);
    return {};
  },
  'DELETE /v1/auth/second-factors/{id}': async ({ world, clinic }) => ({
    path: `/v1/auth/second-factors/${await addFactor(world, clinic.admin.id)}`,
  }),
  'POST /v1/admin/people/{id}/email': () => ({ body: { email: 'lain@klinik.example' } }),
  'POST /v1/admin/people/{id}/reactivate': async ({ world, clinic }) => {
    const path = `/v1/admin/people/${clinic.stranger.id}`;
    await world.request(`${path}/deactivate`, { method: 'POST', token: clinic.admin.token });
    return { path: `${path}/reactivate` };
  },
  'POST /v1/family': () => ({
    body: { name: 'Anak Admin', birth_date: '2019-04-23', relation: 'child' },
  }),
  'PATCH /v1/family/{id}': async (scene) => ({
    path: `/v1/family/${await childOf(scene)}`,
    body: { name: 'Nama Baru' },
  }),
  'DELETE /v1/family/{id}': async (scene) => ({ path: `/v1/family/${await childOf(scene)}` }),
  'POST /v1/family/claim': async ({ world, clinic, ids }) => {
    const path = `/v1/patients/${ids.find(([prefix]) => prefix === '/v1/patients/')?.[1]}/claim-code`;
    const made = await world.request(path, { method: 'POST', token: clinic.staff.token });
    return { body: { code: made.body.data.code, birth_date: '1960-08-17', relation: 'parent' } };
  },
  'POST /v1/patients': () => ({ body: { name: 'Bu Siti', phone_number: '81399900001' } }),
  'PATCH /v1/patients/{id}': () => ({ body: { name: 'Nama Baru' } }),
  'POST /v1/patients/{id}/merge': async ({ world, clinic }) => {
    const token = clinic.staff.token;
    const body = { name: 'Bu Siti', phone_number: '81399900002' };
    const made = await world.request('/v1/patients', { token, body });
    return { path: `/v1/patients/${made.body.data.id}/merge`, body: { into: clinic.stranger.id } };
  },
  'POST /v1/admin/people': () => ({
    body: { name: 'Rina', email: 'rina@klinik.example', role: 'staff', password },
  }),
  'PATCH /v1/admin/people/{id}': async ({ world }) => ({
    path: `/v1/admin/people/${(await createPerson(world)).id}`,
    body: { role: 'staff' },
  }),
  'POST /v1/admin/schedules': ({ clinic }) => ({
    body: {
      doctor_id: clinic.practice.doctorId,
      session_id: clinic.practice.sessionId,
      weekday: 7,
      start_time: '19:00:00',
      end_time: '20:00:00',
      slot_minutes: 30,
      capacity: 1,
    },
  }),
  'PATCH /v1/admin/doctors/{id}': () => ({ body: { name: 'Nama Baru' } }),
  'PATCH /v1/admin/sessions/{id}': () => ({ body: { name: 'Layanan Baru' } }),
  'PATCH /v1/admin/schedules/{id}': () => ({ body: { capacity: 2 } }),
  'PATCH /v1/admin/closures/{id}': () => ({ body: { name: 'Cuti Bersama' } }),
  'DELETE /v1/admin/closures/{id}': async ({ world, clinic }) => ({
    path: `/v1/admin/closures/${await createClosure(world, { startDate: '2026-12-30', doctorId: clinic.practice.doctorId })}`,
  }),
  'POST /v1/admin/closures/{id}/resolve': () => ({ body: { action: 'cancel' } }),
  'POST /v1/admin/api-keys': () => ({ body: { name: 'Mesin antrean', scopes: ['queue:write'] } }),
  'PATCH /v1/admin/api-keys/{id}': () => ({ body: { name: 'Mesin antrean lantai 2' } }),
  'PATCH /v1/admin/webhooks/{id}': () => ({ body: { description: 'Kasir' } }),
  'POST /v1/bookings': ({ clinic }) => ({
    body: bookingInput(clinic.practice, { patient_id: clinic.stranger.id, schedule_time: '15:00:00' }),
  }),
  'POST /v1/bookings/series': ({ clinic }) => ({ body: seriesOfOne(clinic) }),
  'POST /v1/bookings/series/{id}/cancel': async ({ world, clinic }) => {
    const { token } = clinic.admin;
    const made = await world.request('/v1/bookings/series', { token, body: seriesOfOne(clinic) });
    return { path: `/v1/bookings/series/${made.body.data.id}/cancel`, body: {} };
  },
  'POST /v1/bookings/{id}/follow-up': booking(
    'follow-up',
    ['approve'],
    {},
    { from: '2026-11-30', to: '2026-12-04' },
  ),
  'POST /v1/calendar-feeds': () => ({ body: {} }),
  'DELETE /v1/calendar-feeds/{id}': async ({ world, clinic }) => {
    const made = await world.request('/v1/calendar-feeds', { token: clinic.admin.token, body: {} });
    return { path: `/v1/calendar-feeds/${made.body.data.id}` };
  },
  'POST /v1/waitlist': ({ clinic }) => ({ body: wishOf(clinic) }),
  'POST /v1/waitlist/{id}/accept': offer('accept'),
  'POST /v1/waitlist/{id}/decline': offer('decline'),
  'POST /v1/admin/waitlist/{id}/move': () => ({ body: { before_id: null, reason: 'urgent' } }),
  'POST /v1/bookings/{id}/cancel': booking('cancel'),
  'POST /v1/bookings/{id}/reject': booking('reject'),
  'POST /v1/bookings/{id}/approve': booking('approve'),
  'POST /v1/bookings/{id}/reschedule': booking(
    'reschedule',
    [],
    {},
    {
      schedule_date: '2026-11-24',
      schedule_time: '14:00:00',
    },
  ),
  'POST /v1/bookings/{id}/check-in': booking('check-in', ['approve']),
  'POST /v1/bookings/{id}/call': booking('call', ['approve', 'check-in']),
  'POST /v1/bookings/{id}/skip': booking('skip', ['approve', 'check-in', 'call']),
  'POST /v1/doctors/{id}/queue/next': async (scene) => {
    await booking('check-in', ['approve', 'check-in'])(scene);
    return { body: {} };
  },
  'PUT /v1/doctors/{id}/notice': () => ({ body: { date: '2026-11-23', delay_minutes: 30 } }),
  'DELETE /v1/doctors/{id}/notice': async ({ world, clinic }) => {
    const path = `/v1/doctors/${clinic.practice.doctorId}/notice`;
    const body = { date: '2026-11-23', delay_minutes: 30 };
    await world.request(path, { method: 'PUT', token: clinic.staff.token, body });
    return {};
  },
  'POST /v1/bookings/{id}/complete': booking('complete', ['approve', 'check-in']),
  'POST /v1/bookings/{id}/undo': booking('undo', ['check-in'], {}, { version: 2 }),
  'POST /v1/bookings/{id}/no-show': async (scene) => {
    const asked = await booking('no-show', ['approve'])(scene);
    scene.world.clock.now = Date.parse('2026-11-23T02:00:00Z');
    return asked;
  },
};

const mayAdmin = ({ access }: Endpoint): boolean => access === 'bearer' || access.includes('admin');
/** What a page asks before it uses or makes a passkey: a challenge, which is stored nowhere. */
const writesNothing = new Set([
  '/v1/auth/second-factors/passkeys/options',
  '/v1/auth/reauthenticate/options',
]);
const isWrite = ({ method, access, path }: Endpoint): boolean =>
  method !== 'get' && access !== 'public' && !writesNothing.has(path);
const writes = endpoints.filter((e) => isWrite(e) && mayAdmin(e));
/** What the reception may write as well, by its role. */
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
  // What receivers are told of other subjects stands beside an event of the trail.
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
    const asked = (await acts[name]?.(scene)) ?? {};
    const before = await trailOf(scene, role);
    const answer = await world.request(asked.path ?? pathFor(scene, contract), {
      method: contract.method.toUpperCase(),
      token: clinic[role].token,
      ...(contract.body !== undefined && { body: asked.body ?? bodyFor(scene, contract) }),
    });
    expect(`${answer.status} ${answer.body.code ?? ''}`, 'say in `acts` what to send').toMatch(/^20/);
    const after = await trailOf(scene, role);
    expect(after).toHaveLength(before.length + 1);
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

  it('tells of no change that did not happen', async () => {
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

  it('tells once of a change that two make at once', async () => {
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
