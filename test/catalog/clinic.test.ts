import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/core/settings/config.ts';
import { assemble } from '../../src/service.ts';
import { createAdmin } from '../support/admin.ts';
import { bookingInput, createPractice } from '../support/clinic.ts';
import { act, book, createClinic, detail } from '../support/clinic-people.ts';
import { beforeRoundTrip } from '../support/interleave.ts';
import { createPerson } from '../support/people.ts';
import { createWorld, secret, secretsOf, testClinicId, type World } from '../support/world.ts';

const path = '/v1/admin/clinic';

/** A second process on the same database, with calendars of its own in its cache. */
const secondProcess = async (world: World) => {
  const { db: _db, ...shared } = world.deps;
  const db = Object.create(world.db);
  const { app } = await assemble(
    { clinicId: testClinicId, legacyKeysUntil: null, sealedByJwt: false, demoSince: null },
    { db },
    { ...shared, config: world.deps.config, ...secretsOf(secret) },
  );
  return (path: string, token: string, body?: object) =>
    app.request(`http://localhost${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
};

describe('the clinic', () => {
  it('is shown to everybody, and stored by shared caches for a minute', async () => {
    const world = await createWorld();
    const admin = await createAdmin(world);
    const identity = {
      name: 'Klinik Melati',
      address: 'Jl. Melati 1, Bandung',
      phone: '+62 22 1234567',
      logo_url: 'https://klinik.example/logo.svg',
    };
    expect((await admin.patch(path, { ...identity, color: '#0F766E' })).status).toBe(200);
    const shown = await world.request('/v1/clinic');
    expect(shown.body.data).toEqual({
      ...identity,
      logo: null,
      color: '#0f766e',
      time_zone: 'Asia/Jakarta',
      reports_to: [],
      login_by_code: false,
      login_by_phone_code: false,
      staff_sso: false,
      today: '2026-11-23',
      languages: ['id', 'en'],
      consent_version: null,
      privacy_notice_url: null,
      min_notice_minutes: 30,
      max_advance_days: 90,
      cancel_lead_minutes: 0,
      max_live_bookings: 20,
      approval_after_no_shows: 0,
      self_check_in_minutes: 0,
    });
    expect(shown.headers.get('Cache-Control')).toBe('public, max-age=0, s-maxage=60');
    const tag = shown.headers.get('ETag') ?? '';
    expect((await world.request('/v1/clinic', { headers: { 'If-None-Match': tag } })).status).toBe(304);
    world.clock.now += 86_400_000;
    expect((await world.request('/v1/clinic', { headers: { 'If-None-Match': tag } })).status).toBe(200);
  });

  it('is changed only in the version that was read', async () => {
    const world = await createWorld();
    const admin = await createAdmin(world);
    const { version } = (await admin.get(path)).body.data;
    expect((await admin.patch(path, { name: 'Satu', version })).body.data.version).toBe(version + 1);
    const late = await admin.patch(path, { name: 'Dua', version });
    expect([late.status, late.body.code, late.body.version]).toEqual([409, 'version_mismatch', version + 1]);
    expect((await world.request('/v1/clinic')).body.data.name).toBe('Satu');
  });

  it('keeps a rule that the environment sets, and says which', async () => {
    const world = await createWorld({ MIN_NOTICE_MINUTES: '45' });
    const admin = await createAdmin(world);
    const refused = await admin.patch(path, { name: 'Lain', min_notice_minutes: 10, max_advance_days: 5 });
    expect([refused.status, refused.body.code, refused.body.fields]).toEqual([
      409,
      'set_by_environment',
      ['min_notice_minutes'],
    ]);
    expect((await admin.get(path)).body.data).toMatchObject({
      name: '',
      min_notice_minutes: 45,
      max_advance_days: 90,
      set_by_environment: ['min_notice_minutes'],
    });
  });

  it('leaves one event for a change, with the fields and not their values', async () => {
    const world = await createWorld();
    const admin = await createAdmin(world);
    await admin.patch(path, { name: 'Klinik Penanda', max_live_bookings: 4 });
    const trail = await admin.get('/v1/admin/security-events?type=clinic_changed');
    expect(trail.body.data).toMatchObject([{ detail: { fields: 'name,max_live_bookings' } }]);
    expect(JSON.stringify(trail.body)).not.toContain('Penanda');
  });
});

describe('a new rule holds from the next decision on', () => {
  const started = async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const rule = (body: object) => world.request(path, { method: 'PATCH', token: clinic.admin.token, body });
    return { world, clinic, rule };
  };

  it('for listing and booking alike, though the calendar is cached', async () => {
    const { world, clinic, rule } = await started();
    await book(world, clinic, { schedule_time: '10:00:00' });
    await rule({ min_notice_minutes: 180 });
    const slots = `/v1/doctors/${clinic.practice.doctorId}/slots?from=2026-11-23&to=2026-11-23`;
    const [first] = (await world.request(slots)).body.data;
    expect(first.schedule_time).toBe('10:30:00');
    const refused = await world.request('/v1/bookings', {
      token: clinic.stranger.token,
      body: bookingInput(clinic.practice, { schedule_time: '09:00:00' }),
    });
    expect(refused).toMatchObject({ status: 422, body: { reason: 'too_soon' } });
    expect(refused.body.message).toContain('3 jam');
    await rule({ min_notice_minutes: 0, max_advance_days: 1 });
    const asked = (schedule_date: string) =>
      world.request('/v1/bookings', {
        token: clinic.stranger.token,
        body: bookingInput(clinic.practice, { schedule_date, schedule_time: '09:00:00' }),
      });
    expect((await asked('2026-11-23')).status).toBe(201);
    expect((await asked('2026-11-25')).body).toMatchObject({ reason: 'too_far' });
  });

  it('for a process that has cached the calendar under the old one', async () => {
    const { world, clinic, rule } = await started();
    const elsewhere = await secondProcess(world);
    const body = (schedule_time: string) => bookingInput(clinic.practice, { schedule_time });
    expect((await elsewhere('/v1/bookings', clinic.patient.token, body('12:00:00'))).status).toBe(201);
    await rule({ min_notice_minutes: 600, cancel_lead_minutes: 600 });
    expect((await elsewhere('/v1/bookings', clinic.stranger.token, body('13:00:00'))).status).toBe(422);
    await rule({ min_notice_minutes: 0, max_live_bookings: 1 });
    expect((await elsewhere('/v1/bookings', clinic.stranger.token, body('13:00:00'))).status).toBe(201);
    expect((await elsewhere('/v1/bookings', clinic.stranger.token, body('14:00:00'))).status).toBe(409);
  });

  it('for a decision that was made on the old one and not yet written', async () => {
    const { world, clinic, rule } = await started();
    const body = bookingInput(clinic.practice);
    beforeRoundTrip(world, 2, () => rule({ min_notice_minutes: 600 }));
    const late = await world.request('/v1/bookings', { token: clinic.patient.token, body });
    expect([late.status, late.body.reason]).toEqual([422, 'too_soon']);
  });

  it('for canceling, and for what the booking says of it', async () => {
    const { world, clinic, rule } = await started();
    const id = await book(world, clinic);
    expect((await detail(world, clinic.patient, id)).cancelable_until).toBe('2026-11-23T02:00:00.000Z');
    await rule({ cancel_lead_minutes: 90 });
    expect((await detail(world, clinic.patient, id)).cancelable_until).toBe('2026-11-23T00:30:00.000Z');
    await rule({ cancel_lead_minutes: 150 });
    expect(await detail(world, clinic.patient, id)).toMatchObject({
      cancelable_until: null,
      allowed_actions: [],
    });
    expect((await act(world, clinic.patient, id, 'cancel')).status).toBe(409);
    await rule({ cancel_lead_minutes: 0 });
    expect((await act(world, clinic.patient, id, 'cancel')).status).toBe(200);
  });

  it('for a patient’s cancel and move that were decided on the old one and not yet written', async () => {
    const { world, clinic, rule } = await started();
    const id = await book(world, clinic);
    const { version } = await detail(world, clinic.patient, id);
    for (const [verb, body] of [
      ['cancel', {}],
      ['reschedule', { schedule_date: '2026-11-24', schedule_time: '10:00:00' }],
    ] as const) {
      await rule({ cancel_lead_minutes: 0 });
      beforeRoundTrip(world, 2, () => rule({ cancel_lead_minutes: 600 }));
      const late = await act(world, clinic.patient, id, verb, body);
      expect([verb, late.status, late.body.code]).toEqual([verb, 409, 'invalid_transition']);
      expect(late.body.message).toContain('10 jam');
    }
    expect(await detail(world, clinic.patient, id)).toMatchObject({ status: 'waiting', version });
    // Nor does an older, stricter rule prevent the clinic, or a patient who has enough time.
    beforeRoundTrip(world, 2, () => rule({ cancel_lead_minutes: 30 }));
    expect((await act(world, clinic.staff, id, 'approve')).status).toBe(200);
    beforeRoundTrip(world, 2, () => rule({ cancel_lead_minutes: 150 }));
    expect((await act(world, clinic.patient, id, 'cancel')).status).toBe(409);
    await rule({ cancel_lead_minutes: 30 });
    beforeRoundTrip(world, 2, () => rule({ cancel_lead_minutes: 20 }));
    expect((await act(world, clinic.patient, id, 'cancel')).status).toBe(200);
  });

  it('for the number of coming bookings', async () => {
    const { world, clinic, rule } = await started();
    await rule({ max_live_bookings: 1 });
    await book(world, clinic);
    const body = bookingInput(clinic.practice, { schedule_time: '11:00:00' });
    const token = clinic.patient.token;
    expect((await world.request('/v1/bookings', { token, body })).body.code).toBe('too_many_bookings');
  });
});

it('what the environment sets wins over the database', async () => {
  const world = await createWorld();
  const admin = await createAdmin(world);
  await admin.patch(path, { max_advance_days: 3 });
  world.deps.config = parseConfig({ RATE_LIMIT: 'off', MAX_ADVANCE_DAYS: '8' });
  expect((await admin.get(path)).body.data.max_advance_days).toBe(8);
  const { doctorId } = await createPractice(world);
  const { token } = await createPerson(world);
  const slots = `/v1/doctors/${doctorId}/slots?from=2026-12-01&to=2026-12-02`;
  expect((await world.request(slots, { token })).body.data.at(-1).schedule_date).toBe('2026-12-01');
});
