import { describe, expect, it } from 'vitest';
import { createAdmin } from '../support/admin.ts';
import { bookingInput, createPractice } from '../support/clinic.ts';
import { beforeRoundTrip } from '../support/interleave.ts';
import { createPerson } from '../support/people.ts';
import { createWorld } from '../support/world.ts';

type Admin = Awaited<ReturnType<typeof createAdmin>>;
interface Setting {
  admin: Admin;
  doctorId: string;
  sessionId: string;
  scheduleId: string;
}

const monday = '2026-11-23';
const closure = (fields: object) => ({ name: 'Tutup', start_date: monday, ...fields });

// A booking is decided on earlier reads; the change is acknowledged before its insert arrives.
const changes: [string, (setting: Setting) => Promise<{ status: number }>, number, object][] = [
  [
    'leave of the doctor',
    ({ admin, doctorId }) => admin.post('/v1/admin/closures', closure({ doctor_id: doctorId })),
    422,
    { code: 'slot_unavailable', reason: 'leave' },
  ],
  [
    'a holiday',
    ({ admin }) => admin.post('/v1/admin/closures', closure({})),
    422,
    { code: 'slot_unavailable', reason: 'holiday' },
  ],
  [
    'hours of leave over the slot',
    ({ admin, doctorId }) =>
      admin.post(
        '/v1/admin/closures',
        closure({ doctor_id: doctorId, start_time: '09:29:00', end_time: '12:00:00' }),
      ),
    422,
    { reason: 'leave' },
  ],
  [
    'a schedule that begins later',
    ({ admin, scheduleId }) => admin.patch(`/v1/admin/schedules/${scheduleId}`, { start_time: '09:30:00' }),
    422,
    { reason: 'not_offered' },
  ],
  [
    'a schedule of another session',
    async ({ admin, scheduleId }) => {
      const { body } = await admin.post('/v1/admin/sessions', { name: 'Imunisasi' });
      return admin.patch(`/v1/admin/schedules/${scheduleId}`, { session_id: body.data.id });
    },
    422,
    { reason: 'not_offered' },
  ],
  [
    'a schedule that is retired',
    ({ admin, scheduleId }) => admin.remove(`/v1/admin/schedules/${scheduleId}`),
    422,
    { reason: 'not_offered' },
  ],
  [
    'a capacity that is lowered to what is taken',
    ({ admin, scheduleId }) => admin.patch(`/v1/admin/schedules/${scheduleId}`, { capacity: 1 }),
    409,
    { code: 'slot_full' },
  ],
  [
    'a doctor who retires',
    ({ admin, doctorId }) => admin.remove(`/v1/admin/doctors/${doctorId}`),
    422,
    { code: 'doctor_not_found' },
  ],
  [
    'a session that is retired',
    ({ admin, sessionId }) => admin.remove(`/v1/admin/sessions/${sessionId}`),
    422,
    { code: 'session_not_offered' },
  ],
];

describe('a change of the calendar between the decision and the insert makes the booking decide again', () => {
  const setUp = async () => {
    const world = await createWorld();
    const admin = await createAdmin(world);
    const practice = await createPractice(world, { capacity: 2 });
    const { body } = await admin.get(`/v1/admin/schedules?doctor_id=${practice.doctorId}`);
    const setting = { admin, ...practice, scheduleId: body.data[0].id as string };
    const [first, second] = [await createPerson(world), await createPerson(world)];
    const taken = await world.request('/v1/bookings', { token: first.token, body: bookingInput(practice) });
    expect(taken.status).toBe(201);
    const book = () => world.request('/v1/bookings', { token: second.token, body: bookingInput(practice) });
    return { world, setting, book, first };
  };

  for (const [name, change, status, answer] of changes)
    it(`refuses it after ${name}, and leaves the booking that stood`, async () => {
      const { world, setting, book, first } = await setUp();
      let acknowledged = 0;
      beforeRoundTrip(world, 2, async () => {
        acknowledged = (await change(setting)).status;
      });
      const refused = await book();
      expect([200, 201]).toContain(acknowledged);
      expect(refused).toMatchObject({ status, body: answer });
      const history = await world.request('/v1/bookings/history', { token: first.token });
      expect(history.body.data).toMatchObject([{ status: 'waiting' }]);
    });

  it('books under the new names after a change that leaves the slot open', async () => {
    const { world, setting, book } = await setUp();
    beforeRoundTrip(world, 2, () =>
      setting.admin.patch(`/v1/admin/doctors/${setting.doctorId}`, { name: 'Sari Baru' }),
    );
    expect(await book()).toMatchObject({ status: 201, body: { data: { doctor_name: 'dr. Sari Baru' } } });
  });

  it('books in two round trips where nothing changes', async () => {
    const { world, book } = await setUp();
    const seen = beforeRoundTrip(world, 0, async () => {});
    expect((await book()).status).toBe(201);
    expect(seen.roundTrips).toBe(2);
  });
});
