import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import { begunAnew, left, seen } from '../support/disclosures.ts';
import { createScene } from '../support/scene.ts';
import { settleAll } from '../support/world.ts';

describe('a list', () => {
  it('has one line for each reader, filter and hour, however often it is asked for, by whatever process', async () => {
    const { world, people } = await createScene();
    const ask = async (path: string, token: string, request = begunAnew(world)) =>
      expect((await request(path, token)).status).toBe(200);
    const lines = await left(world, async () => {
      for (let polls = 0; polls < 5; polls++) {
        await ask('/v1/bookings/changes?after=0', people.staff.token);
        await ask(`/v1/bookings/changes?after=${polls}&limit=10`, people.staff.token);
        world.clock.now += 5_000;
      }
      await ask('/v1/bookings/changes?after=0', people.doctor.token);
      await ask('/v1/bookings?date=2026-11-23', people.staff.token);
      await ask('/v1/bookings?date=2026-11-24', people.staff.token);
      await ask('/v1/bookings?status=waiting&date=2026-11-24', people.staff.token);
      await ask('/v1/bookings?date=2026-11-24&status=waiting&limit=2', people.staff.token);
      world.clock.now += 3_600_000;
      await ask('/v1/bookings/changes?after=0', people.staff.token);
    });
    expect(lines.map(({ route, detail }) => `${route} ${detail}`)).toEqual([
      'GET /v1/bookings/changes {}',
      'GET /v1/bookings/changes {}',
      'GET /v1/bookings {"date":"2026-11-23"}',
      'GET /v1/bookings {"date":"2026-11-24"}',
      'GET /v1/bookings {"date":"2026-11-24","status":"waiting"}',
      'GET /v1/bookings/changes {}',
    ]);
  });

  it('costs one round trip more in its first minute of the hour, and none after it', async () => {
    const { world, people, clinic } = await createScene();
    let trips = 0;
    const batch = world.db.batch.bind(world.db);
    const counted = new Proxy(world.db, {
      get: (target, name) =>
        name === 'batch'
          ? (statements: Parameters<typeof batch>[0]) => {
              trips += 1;
              return batch(statements);
            }
          : Reflect.get(target, name),
    });
    const app = createApp({ ...world.deps, db: counted });
    const ask = async (path: string, { token }: { token: string }) => {
      // That its caller was seen is written beside it, every five minutes.
      await settleAll();
      trips = 0;
      const headers = { Authorization: `Bearer ${token}` };
      expect((await app.request(`http://localhost${path}`, { headers })).status).toBe(200);
      return trips;
    };
    const path = '/v1/bookings/changes?after=0';
    await seen(world, people.staff);
    await seen(world, clinic.patient);
    expect([await ask(path, people.staff), await ask(path, people.staff)]).toEqual([2, 1]);
    world.clock.now += 3_600_000;
    await seen(world, people.staff);
    await seen(world, clinic.patient);
    expect([await ask(path, people.staff), await ask(path, people.staff)]).toEqual([2, 1]);
    const record = `/v1/patients/${clinic.patient.id}`;
    expect([await ask(record, people.staff), await ask(record, people.staff)]).toEqual([2, 2]);
    expect(await ask('/v1/bookings/history', clinic.patient)).toBe(1);
  });

  it('says by which patient it was filtered', async () => {
    const { world, people, clinic } = await createScene();
    world.clock.now += 3_600_000;
    const path = `/v1/bookings?patient_id=${clinic.patient.id}`;
    const lines = await left(world, () => world.request(path, { token: people.staff.token }));
    expect(lines).toMatchObject([{ patientId: clinic.patient.id, route: 'GET /v1/bookings' }]);
  });
});
