import { beforeEach, describe, expect, it } from 'vitest';
import { runAll } from '../../src/core/db/db.ts';
import { recordSubjectEventIfAudited } from '../../src/core/events/queries.ts';
import { bookingEvents } from '../../src/core/tables/webhooks.ts';
import { recordSecurityEvent } from '../../src/modules/auth/audit/queries.ts';
import { deliverWebhooks } from '../../src/modules/webhooks/delivery/deliver.ts';
import { bookingInput } from '../support/clinic.ts';
import { act } from '../support/clinic-people.ts';
import { findViolations } from '../support/invariants.ts';
import { createPerson } from '../support/people.ts';
import { createReceiving } from '../support/receiver.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
let practice: Awaited<ReturnType<typeof createReceiving>>['practice'];
let receiver: Awaited<ReturnType<typeof createReceiving>>['receiver'];
let endpoint: Awaited<ReturnType<typeof createReceiving>>['endpoint'];
let staff: { token: string; id: string };

beforeEach(async () => {
  world = await createWorld();
  ({ practice, receiver, endpoint } = await createReceiving(world));
  staff = await createPerson(world, 'staff');
});

const received = () => receiver.received.map(({ body }) => JSON.parse(body));
const ask = (path: string, body: object, method = 'POST') =>
  world.request(path, { method, token: staff.token, body });

const noticeOf = (writeId: string, delay_minutes: number) => ({
  writeId,
  type: 'queue.notice_set' as const,
  subjectId: practice.doctorId,
  actorId: staff.id,
  actorRole: 'staff' as const,
  requestId: 'request-1',
  now: world.clock.now,
  data: { doctor_id: practice.doctorId, schedule_date: '2026-11-23', delay_minutes },
});

const write = async (event: ReturnType<typeof noticeOf>) => {
  const { writeId, now } = event;
  await runAll(world.db, [
    recordSecurityEvent(world.db, { writeId, type: 'clinic_changed', userId: null, now }),
    recordSubjectEventIfAudited(world.db, event),
  ]);
};

describe('receivers get events', () => {
  it('of patients: which record, who did it, and never who it is', async () => {
    const made = await ask('/v1/patients', { name: 'Pak Rahasia', phone_number: '81355500001' });
    const { id } = made.body.data;
    await ask(`/v1/patients/${id}`, { name: 'Pak Sembunyi' }, 'PATCH');
    await deliverWebhooks(world.deps);
    expect(received()).toMatchObject([
      { type: 'patient.created', data: { patient_id: id, version: 1, actor_role: 'staff' } },
      { type: 'patient.updated', data: { patient_id: id, version: 2, actor_role: 'staff' } },
    ]);
    expect(JSON.stringify(received())).not.toMatch(/Rahasia|Sembunyi|81355500001/);
  });

  it('of closures, as they are made and deleted', async () => {
    const body = { name: 'Rapat rahasia', start_date: '2026-12-01', doctor_id: practice.doctorId };
    const { id } = (await ask('/v1/admin/closures', body)).body.data;
    await world.request(`/v1/admin/closures/${id}`, { method: 'DELETE', token: staff.token });
    await deliverWebhooks(world.deps);
    expect(received()).toMatchObject([
      { type: 'closure.created', data: { closure_id: id, version: 1, start_date: '2026-12-01' } },
      { type: 'closure.removed', data: { closure_id: id, version: 2, doctor_id: practice.doctorId } },
    ]);
    expect(JSON.stringify(received())).not.toContain('rahasia');
  });

  it('of a booking that was moved, by whom and from where', async () => {
    const { token } = await createPerson(world);
    const body = bookingInput(practice);
    const { id } = (await world.request('/v1/bookings', { token, body })).body.data;
    const to = { schedule_date: '2026-11-24', schedule_time: '10:00:00' };
    await act(world, staff, id, 'reschedule', to);
    await deliverWebhooks(world.deps);
    const [created, moved] = received();
    expect([created.data.actor_role, created.data.previous]).toEqual(['patient', null]);
    expect(moved.data).toMatchObject({
      ...to,
      actor_role: 'staff',
      previous: {
        doctor_id: practice.doctorId,
        schedule_date: '2026-11-23',
        schedule_time: '09:00:00',
        starts_at: '2026-11-23T02:00:00.000Z',
      },
    });
  });
});

describe('an event of any subject', () => {
  it('is written once, counts its subject’s events, and is no event of a booking', async () => {
    const [first, second] = [world.deps.newId(), world.deps.newId()];
    for (const event of [noticeOf(first, 30), noticeOf(first, 30), noticeOf(second, 0)]) await write(event);
    const rows = await world.db.select().from(bookingEvents);
    expect(rows.map(({ writeId, version }) => [writeId, version])).toEqual([
      [first, 1],
      [second, 2],
    ]);
    expect(JSON.parse(rows[1]?.payload ?? '')).toMatchObject({ version: 2, delay_minutes: 0 });
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('is not written where the audit event of its batch was not', async () => {
    await runAll(world.db, [recordSubjectEventIfAudited(world.db, noticeOf(world.deps.newId(), 30))]);
    expect(await world.db.select().from(bookingEvents)).toEqual([]);
  });

  it('waits for the one before it of its subject, and for none of another', async () => {
    await write(noticeOf(world.deps.newId(), 30));
    await write(noticeOf(world.deps.newId(), 0));
    const { id } = (await ask('/v1/patients', { name: 'Bu Siti', phone_number: '81355500002' })).body.data;
    receiver.answer = ({ body }) =>
      JSON.parse(body).data.delay_minutes === 30 ? { status: 500 } : { status: 204 };
    await deliverWebhooks(world.deps);
    expect(received().map(({ data }) => data.patient_id ?? data.delay_minutes)).toEqual([id]);
    receiver.answer = () => ({ status: 204 });
    world.clock.now += 60_000;
    await deliverWebhooks(world.deps);
    expect(received().map(({ data }) => data.patient_id ?? data.delay_minutes)).toEqual([id, 30, 0]);
    const log = await world.request(`/v1/admin/webhooks/${endpoint.id}/deliveries`, {
      token: endpoint.token,
    });
    expect(log.body.data[0]).toMatchObject({ booking_id: null, subject_id: id });
  });
});
