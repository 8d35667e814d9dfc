import { describe, expect, it } from 'vitest';
import { createAdmin } from '../support/admin.ts';
import { act, book, createClinic, detail } from '../support/clinic-people.ts';
import { createWorld, registerPatient, type World } from '../support/world.ts';

const tuesday = { schedule_date: '2026-11-24', schedule_time: '10:00:00' };

/** The answer to the first request that is not answered as the ones before it. */
const firstOther = async (ask: () => Promise<{ status: number; body: { code?: string } }>) => {
  const first = await ask();
  for (let nth = 0; nth < 100; nth++) {
    const got = await ask();
    if (got.status !== first.status) return `${got.status} ${got.body.code}`;
  }
  return null;
};

const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => `${status} ${body.code}`;

describe('an endpoint answers the failures that are its own', () => {
  it('register: 409 for an e-mail that has an account', async () => {
    const world = await createWorld();
    const { email } = await registerPatient(world);
    const body = {
      name: 'Kembaran',
      phone_number: '81234567890',
      phone_country_code: '62',
      email: ` ${email.toUpperCase()} `,
      password: 'kata-sandi-lain-18',
      password_confirmation: 'kata-sandi-lain-18',
    };
    expect(codeOf(await world.request('/v1/auth/register', { body }))).toBe('409 email_taken');
  });

  for (const [path, body] of [
    ['/v1/auth/password/forgot', { email: 'siapa@klinik.example' }],
    [
      '/v1/auth/password/reset',
      { token: 'x'.repeat(43), password: 'kata-sandi-lain-18', password_confirmation: 'kata-sandi-lain-18' },
    ],
  ] as const)
    it(`${path}: 429 to who goes on and on`, async () => {
      const world = await createWorld({ RATE_LIMIT: 'on' });
      expect(await firstOther(() => world.request(path, { body }))).toBe('429 rate_limited');
    });

  it('booking: 409 beyond the number of coming bookings that a patient may hold', async () => {
    const world = await createWorld({ MAX_LIVE_BOOKINGS: '2' });
    const clinic = await createClinic(world);
    await book(world, clinic, { schedule_time: '09:00:00' });
    const second = await book(world, clinic, { schedule_time: '10:00:00' });
    const third = () =>
      world.request('/v1/bookings', {
        token: clinic.patient.token,
        body: { doctor_id: clinic.practice.doctorId, session_id: clinic.practice.sessionId, ...tuesday },
      });
    expect(codeOf(await third())).toBe('409 too_many_bookings');
    await act(world, clinic.patient, second, 'cancel');
    expect((await third()).status).toBe(201);
  });
});

describe('moving a booking', () => {
  const setUp = async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    return { world, clinic, id: await book(world, clinic) };
  };
  const unknown = crypto.randomUUID();

  for (const [code, where] of [
    ['422 doctor_not_found', { ...tuesday, doctor_id: unknown }],
    ['422 session_not_offered', { ...tuesday, session_id: unknown }],
    ['422 slot_unavailable', { ...tuesday, schedule_time: '10:10:00' }],
  ] as const)
    it(`is refused with ${code}, and the booking stays`, async () => {
      const { world, clinic, id } = await setUp();
      const before = await detail(world, clinic.patient, id);
      expect(codeOf(await act(world, clinic.patient, id, 'reschedule', where))).toBe(code);
      expect(await detail(world, clinic.patient, id)).toEqual(before);
    });

  it('is refused where the patient has another booking, which is named', async () => {
    const { world, clinic, id } = await setUp();
    const other = {
      doctor_id: clinic.others.doctorId,
      session_id: clinic.others.sessionId,
      schedule_date: '2026-11-23',
      schedule_time: '11:00:00',
    };
    const { body } = await world.request('/v1/bookings', { token: clinic.patient.token, body: other });
    const to = { schedule_date: '2026-11-23', schedule_time: '11:00:00' };
    const refused = await act(world, clinic.patient, id, 'reschedule', to);
    expect([codeOf(refused), refused.body.booking_id]).toEqual(['409 patient_busy', body.data.id]);
  });

  it("into a colleague's calendar is not for a doctor", async () => {
    const { world, clinic, id } = await setUp();
    const to = { ...tuesday, doctor_id: clinic.others.doctorId, session_id: clinic.others.sessionId };
    expect(codeOf(await act(world, clinic.doctor, id, 'reschedule', to))).toBe('403 forbidden');
    expect((await act(world, clinic.staff, id, 'reschedule', to)).status).toBe(200);
  });
});

describe('an outdated version is refused with 409 and the present one', () => {
  for (const verb of ['approve', 'reject', 'check-in', 'call', 'complete', 'no-show', 'cancel'])
    it(`by ${verb}`, async () => {
      const world = await createWorld();
      const clinic = await createClinic(world);
      const id = await book(world, clinic);
      const refused = await act(world, clinic.staff, id, verb, { version: 7 });
      expect([codeOf(refused), refused.body.version]).toEqual(['409 version_mismatch', 1]);
    });

  const added = async (world: World, room: string, body: object) => {
    const admin = await createAdmin(world);
    const { id, version } = (await admin.post(`/v1/admin/${room}`, body)).body.data;
    const path = `/v1/admin/${room}/${id}`;
    return { admin, path, version: version as number };
  };

  it('by changing a session, which still reads as it was', async () => {
    const world = await createWorld();
    const { admin, path, version } = await added(world, 'sessions', { name: 'Fisioterapi' });
    const refused = await admin.patch(path, { name: 'Lain', version: version + 1 });
    expect([codeOf(refused), refused.body.version]).toEqual(['409 version_mismatch', version]);
    expect((await admin.get(path)).body.data).toMatchObject({ name: 'Fisioterapi', version });
  });

  it('by changing a schedule', async () => {
    const world = await createWorld();
    const { practice } = await createClinic(world);
    const hours = { weekday: 1, start_time: '18:00:00', end_time: '20:00:00', slot_minutes: 30, capacity: 2 };
    const body = { doctor_id: practice.doctorId, session_id: practice.sessionId, ...hours };
    const { admin, path, version } = await added(world, 'schedules', body);
    const refused = await admin.patch(path, { capacity: 3, version: version + 1 });
    expect([codeOf(refused), refused.body.version]).toEqual(['409 version_mismatch', version]);
  });
});
