import { eq } from 'drizzle-orm';
import { users } from '../../src/core/tables/accounts.ts';
import { bookings } from '../../src/core/tables/bookings.ts';
import { runWaitlist } from '../../src/modules/booking/waitlist/job.ts';
import { createPasskey } from './authenticator.ts';
import { bookingInput, createClosure } from './clinic.ts';
import { addFactor, appCode } from './factors.ts';
import { addMatch } from './matches.ts';
import { beginPasskey } from './passkeys.ts';
import { createIssuer, oidcSettings } from './peers/oidc.ts';
import { addDevice, createPerson } from './people.ts';
import { ask } from './questions.ts';
import type { Scene } from './scene.ts';
import { password } from './world.ts';

type Asked = { path?: string; body?: unknown };
export type Act = (scene: Scene, role?: 'admin' | 'staff') => Asked | Promise<Asked>;

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

/** A waitlist wish for a day with free seats. */
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

/** A booking of today, in a clinic where patients may check in without the desk. */
const arriving = async ({ world, clinic }: Scene) => {
  world.deps.config = { ...world.deps.config, SELF_CHECK_IN_MINUTES: 720 };
  const { token } = clinic.admin;
  const made = await world.request('/v1/bookings', {
    token,
    body: bookingInput(clinic.practice, { patient_id: clinic.stranger.id }),
  });
  return made.body.data.id as string;
};

/** An admin's body where a sample of every field does not fit. */
export const acts: Readonly<Record<string, Act>> = {
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
  'POST /v1/admin/imports': () => ({ body: { source: 'lama' } }),
  'POST /v1/admin/imports/{id}/rows': () => ({ body: { after_row: 0, rows: [] } }),
  'POST /v1/admin/imports/{id}/visits': () => ({ body: { after_row: 0, rows: [] } }),
  'POST /v1/bookings/{id}/confirm': async (scene) => {
    const asked = await booking('confirm')(scene);
    await scene.world.db.update(bookings).set({ askedAt: scene.world.clock.now });
    return asked;
  },
  'PUT /v1/bookings/{id}/answers': async (scene) => {
    await ask(scene.world, scene.clinic);
    const body = { answers: [{ id: 'alergi', value: 'Penisilin' }] };
    return booking('answers', [], {}, body)(scene);
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
  'POST /v1/auth/reauthenticate/sso/finish': async ({ world, clinic }, role = 'admin') => {
    const issuer = await createIssuer(() => world.clock.now);
    const config = { ...world.deps.config, ...oidcSettings };
    Object.assign(world.deps, { askPartner: issuer.ask, config });
    const { id, email, token } = clinic[role];
    const ssoSubject = JSON.stringify([oidcSettings.OIDC_ISSUER, 'dewi']);
    await world.db.update(users).set({ ssoSubject }).where(eq(users.id, id));
    const begun = await world.request('/v1/auth/reauthenticate/sso', { method: 'POST', token });
    const { url, challenge } = begun.body.data;
    const response = issuer.authorize(url, { sub: 'dewi', email, email_verified: true });
    return { body: { challenge, response } };
  },
  'POST /v1/auth/email/change': () => ({ body: { email: 'lain@klinik.example' } }),
  'POST /v1/auth/email/change/verify': async ({ world, clinic }) => {
    const { token } = clinic.admin;
    await world.request('/v1/auth/email/change', { token, body: { email: 'lain@klinik.example' } });
    await Promise.all(world.background.splice(0));
    const letter = world.mails.findLast(({ to }) => to === 'lain@klinik.example');
    return { body: { code: /\n(\d{4} \d{4})\n/.exec(letter?.text ?? '')?.[1] } };
  },
  'DELETE /v1/auth/phone': async ({ world, clinic }) => {
    const proved = { loginPhone: '6281234567890', phoneProvedAt: world.clock.now };
    await world.db.update(users).set(proved).where(eq(users.id, clinic.admin.id));
    return {};
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
  'POST /v1/record-matches/{id}/confirm': async ({ world, clinic }) => ({
    path: `/v1/record-matches/${(await addMatch(world, clinic.staff.token)).id}/confirm`,
  }),
  'POST /v1/record-matches/{id}/decline': async ({ world, clinic }) => ({
    path: `/v1/record-matches/${(await addMatch(world, clinic.staff.token)).id}/decline`,
  }),
  'POST /v1/patients': () => ({ body: { name: 'Bu Siti', phone_number: '81399900001' } }),
  'PATCH /v1/patients/{id}': () => ({ body: { name: 'Nama Baru' } }),
  'POST /v1/patients/{id}/merge': async ({ world, clinic }) => {
    const token = clinic.staff.token;
    const body = { name: 'Bu Siti', phone_number: '81399900002' };
    const made = await world.request('/v1/patients', { token, body });
    return { path: `/v1/patients/${made.body.data.id}/merge`, body: { into: clinic.stranger.id } };
  },
  'POST /v1/admin/setup/test-mail': ({ world }) => {
    world.deps.mailer = { ...world.deps.mailer, reachesPeople: true };
    return {};
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
  'PATCH /v1/admin/doctors/{id}/page': () => ({ body: { about: 'Sejak 2012.' } }),
  'DELETE /v1/admin/doctors/{id}/page': () => ({}),
  'PATCH /v1/admin/doctors/{id}': () => ({ body: { name: 'Nama Baru' } }),
  'PATCH /v1/admin/sessions/{id}': () => ({ body: { name: 'Layanan Baru' } }),
  'PATCH /v1/admin/schedules/{id}': () => ({ body: { capacity: 2 } }),
  'PATCH /v1/admin/closures/{id}': () => ({ body: { name: 'Cuti Bersama' } }),
  'DELETE /v1/admin/closures/{id}': async ({ world, clinic }) => ({
    path: `/v1/admin/closures/${await createClosure(world, { startDate: '2026-12-30', doctorId: clinic.practice.doctorId })}`,
  }),
  'POST /v1/admin/holidays': () => ({ body: { year: 2026, dates: ['2026-12-25'] } }),
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
  'POST /v1/check-ins': async (scene) => {
    const { world, clinic } = scene;
    const path = `/v1/bookings/${await arriving(scene)}`;
    const { body } = await world.request(path, { token: clinic.stranger.token });
    return { body: { code: body.data.booking_code } };
  },
  'POST /v1/bookings/{id}/arrive': async (scene) => {
    const { world, clinic } = scene;
    const id = await arriving(scene);
    const poster = '/v1/admin/check-in-poster';
    const { body } = await world.request(poster, { method: 'POST', token: clinic.admin.token });
    return { path: `/v1/bookings/${id}/arrive`, body: { poster: body.data.secret } };
  },
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
