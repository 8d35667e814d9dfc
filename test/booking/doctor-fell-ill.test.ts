import { describe, expect, it } from 'vitest';
import { bookings } from '../../src/core/tables/bookings.ts';
import { bookingEvents } from '../../src/core/tables/webhooks.ts';
import { createSchedule } from '../support/clinic.ts';
import { act, type Clinic } from '../support/clinic-people.ts';
import { crashAtRoundTrip } from '../support/interleave.ts';
import { createPeople } from '../support/people.ts';
import { expectWhole, monday, setUp } from '../support/week.ts';
import type { World } from '../support/world.ts';

describe("a clinic's week", () => {
  describe.each(['cancel', 'move'] as const)('a doctor fell ill: the day is resolved by %s', (action) => {
    const done = action === 'cancel' ? 'canceled' : 'moved';
    /** Fourteen patients, half of them approved; the doctor closes the day, and a colleague holds the session too. */
    const fallIll = async () => {
      const scene = await setUp({ capacity: 2 });
      const { world, clinic, ask, book } = scene;
      const ids: string[] = [];
      for (const [nth, patient] of (await createPeople(world, 14)).entries()) {
        const made = await book(patient, `${String(9 + (nth >> 1)).padStart(2, '0')}:00`);
        ids.push(made.body.data.id);
        if (nth % 2 === 0)
          expect((await act(world, clinic.staff, `${ids[nth]}`, 'approve')).status).toBe(200);
      }
      const { others, practice, doctor } = clinic;
      const hours = {
        sessionId: practice.sessionId,
        startTime: '17:00:00',
        endTime: '21:00:00',
        capacity: 2,
      };
      await createSchedule(world, { ...hours, doctorId: others.doctorId });
      const leave = { name: 'Sakit', start_date: monday, doctor_id: practice.doctorId };
      const closure = await ask(doctor, '/v1/admin/closures', leave);
      expect(closure.status).toBe(201);
      const to = action === 'move' ? { to_doctor_id: others.doctorId } : {};
      const resolve = (headers: Record<string, string> = {}) =>
        ask(clinic.staff, `/v1/admin/closures/${closure.body.data.id}/resolve`, { action, ...to }, headers);
      return { ...scene, ids, resolve };
    };
    const isDone = (row: typeof bookings.$inferSelect, { others }: Clinic) =>
      action === 'cancel' ? row.status === 'canceled' : row.doctorId === others.doctorId;
    const stepsOf = async (world: World) =>
      (await world.db.select().from(bookingEvents)).filter(
        ({ type }) => type === `booking.${action === 'cancel' ? 'canceled' : 'rescheduled'}`,
      );
    it('all fourteen in one call', async () => {
      const { world, ids, resolve } = await fallIll();
      const { status, body } = await resolve();
      expect([status, body.meta.remaining]).toEqual([200, 0]);
      expect(body.data.map((one: { booking_id: string }) => one.booking_id).sort()).toEqual(ids.toSorted());
      expect(new Set(body.data.map((one: { result: string }) => one.result))).toEqual(new Set([done]));
      await expectWhole(world);
    });

    it.each([
      [4, 'before'],
      [9, 'before'],
      [9, 'after'],
      [16, 'after'],
    ] as const)(
      'asked again after the database was lost at round trip %i, %s its work, the rest and nothing twice',
      async (nth, when) => {
        const { world, clinic, ids, resolve } = await fallIll();
        const headers = { 'Idempotency-Key': 'dokter-sakit' };
        const mend = crashAtRoundTrip(world, nth, when);
        const crashed = await resolve(headers);
        expect([crashed.status, crashed.body.code]).toEqual([503, 'unavailable']);
        mend();
        const half = (await world.db.select().from(bookings)).filter((row) => isDone(row, clinic)).length;
        expect(half).toBeLessThan(14);
        if (nth > 4) expect(half).toBeGreaterThan(0);
        await expectWhole(world);

        const again = await resolve(headers);
        expect([again.status, again.body.data.length, again.body.meta.remaining]).toEqual([
          200,
          14 - half,
          0,
        ]);
        expect((await world.db.select().from(bookings)).every((row) => isDone(row, clinic))).toBe(true);
        expect((await stepsOf(world)).map(({ bookingId }) => bookingId).sort()).toEqual(ids.toSorted());
        const replayed = await resolve(headers);
        expect([replayed.headers.get('Idempotency-Replayed'), replayed.body]).toEqual(['true', again.body]);
        expect((await resolve()).body.data).toEqual([]);
        expect(await stepsOf(world)).toHaveLength(14);
        await expectWhole(world);
      },
    );
  });
});
