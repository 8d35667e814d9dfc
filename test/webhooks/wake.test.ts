import { beforeEach, describe, expect, it } from 'vitest';
import { bookingEvents } from '../../src/core/tables/webhooks.ts';
import { eventTypes } from '../../src/core/tables/words.ts';
import { createRounds } from '../../src/jobs/rounds.ts';
import { createWake } from '../../src/modules/webhooks/delivery/wake.ts';
import { bookingInput } from '../support/clinic.ts';
import { createClinic } from '../support/clinic-people.ts';
import { createWorld, registerPatient, type World } from '../support/world.ts';

let world: World;
let clinic: Awaited<ReturnType<typeof createClinic>>;
let wakes = 0;

beforeEach(async () => {
  world = await createWorld();
  clinic = await createClinic(world, { capacity: 3 });
  wakes = 0;
  world.deps.eventsWritten = () => {
    wakes += 1;
  };
});

/** Posts, and gives how many events that wrote and how often it woke the deliverer. */
const post = async (token: string, path: string, body: object = {}) => {
  const before = [await world.db.$count(bookingEvents), wakes] as const;
  const answer = await world.request(path, { token, body });
  return {
    status: answer.status,
    id: answer.body.data?.id as string,
    events: (await world.db.$count(bookingEvents)) - before[0],
    wakes: wakes - before[1],
  };
};
const book = (token = clinic.patient.token, fields: object = {}) =>
  post(token, '/v1/bookings', bookingInput(clinic.practice, { schedule_time: '09:00:00', ...fields }));

describe('a commit with an event wakes the deliverer', () => {
  it('by each verb, once', async () => {
    const { id, ...booked } = await book();
    expect(booked).toEqual({ status: 201, events: 1, wakes: 1 });
    const late = { schedule_time: '10:00:00' };
    const verbs: [verb: string, body: object][] = [
      ['approve', {}],
      ['reschedule', { schedule_date: '2026-11-23', ...late }],
      ['check-in', {}],
      ['call', {}],
      ['complete', {}],
    ];
    for (const [verb, body] of verbs) {
      const {
        status,
        events,
        wakes: woken,
      } = await post(clinic.staff.token, `/v1/bookings/${id}/${verb}`, body);
      expect({ verb, status, events, woken }).toEqual({ verb, status: 200, events: 1, woken: 1 });
    }
    for (const verb of ['reject', 'cancel']) {
      const other = await book(clinic.stranger.token, late);
      expect(await post(clinic.staff.token, `/v1/bookings/${other.id}/${verb}`)).toMatchObject({
        status: 200,
        events: 1,
        wakes: 1,
      });
    }
    const absent = await book(clinic.stranger.token, late);
    await post(clinic.staff.token, `/v1/bookings/${absent.id}/approve`);
    world.clock.now = Date.parse('2026-11-23T03:10:00Z');
    expect(await post(clinic.staff.token, `/v1/bookings/${absent.id}/no-show`)).toMatchObject({
      status: 200,
      events: 1,
      wakes: 1,
    });
  });

  it('and not what was refused, or read', async () => {
    const { id } = await book();
    expect(await book()).toMatchObject({ status: 409, events: 0, wakes: 0 });
    expect(await post(clinic.staff.token, `/v1/bookings/${id}/complete`)).toMatchObject({
      status: 409,
      wakes: 0,
    });
    await world.request(`/v1/bookings/${id}`, { token: clinic.patient.token });
    expect(wakes).toBe(1);
  });

  it('by each change of a patient, a closure or a queue, once', async () => {
    const { staff, patient, practice } = clinic;
    const send = async (path: string, body?: object, method = 'POST', token = staff.token) => {
      const before = wakes;
      const answer = await world.request(path, { method, token, ...(body && { body }) });
      expect({ path, status: answer.status, wakes: wakes - before }).toEqual({
        path,
        status: expect.any(Number),
        wakes: 1,
      });
      return answer.body.data?.id as string;
    };
    const walkIn = { name: 'Pak Joko', phone_number: '81355500009', confirm: true };
    const source = await send('/v1/patients', walkIn);
    await send(`/v1/patients/${source}`, { name: 'Pak Djoko' }, 'PATCH');
    await send(`/v1/patients/${source}/merge`, { into: await send('/v1/patients', walkIn) });
    const child = { name: 'Bagus Anak', birth_date: '2019-04-23', relation: 'child' };
    const member = await send('/v1/family', child, 'POST', patient.token);
    await send(`/v1/family/${member}`, { name: 'Bagus Putra' }, 'PATCH', patient.token);
    await send('/v1/auth/profile', { name: 'Bu Baru' }, 'PATCH', patient.token);
    const before = wakes;
    const newcomer = await registerPatient(world);
    expect(wakes - before).toBe(1);
    await send('/v1/auth/account', undefined, 'DELETE', newcomer.token);
    const leave = { name: 'Rapat', start_date: '2026-12-01', doctor_id: practice.doctorId };
    const closure = await send('/v1/admin/closures', leave);
    await send(`/v1/admin/closures/${closure}`, undefined, 'DELETE');
    const notice = { date: '2026-11-23', delay_minutes: 30, message: '' };
    await send(`/v1/doctors/${practice.doctorId}/notice`, notice, 'PUT');
    const types = new Set((await world.db.select().from(bookingEvents)).map(({ type }) => type));
    expect([...types].sort()).toEqual(eventTypes.filter((type) => !type.startsWith('booking.')).sort());
  });

  it('the job that expires bookings once for all of them', async () => {
    await book();
    await book(clinic.stranger.token);
    world.clock.now = Date.parse('2026-11-23T02:30:00Z');
    const round = createRounds(world.deps);
    await round();
    expect([await world.db.$count(bookingEvents), wakes]).toEqual([4, 3]);
    await round();
    expect(wakes).toBe(3);
  });
});

describe('a wake', () => {
  it('that comes before the planned run begins starts no other, and one that comes later does', () => {
    let now = 5_000;
    let runs = 0;
    const wake = createWake(
      () => now,
      100,
      () => {
        runs += 1;
      },
    );
    wake();
    now += 99;
    wake();
    expect(runs).toBe(1);
    now += 1;
    wake();
    expect(runs).toBe(2);
  });
});
