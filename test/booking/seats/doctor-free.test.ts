import { sql } from 'drizzle-orm';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { doctorFree } from '../../../src/modules/booking/seats/guards.ts';
import { createPractice } from '../../support/clinic.ts';
import { createPerson } from '../../support/people.ts';
import { createWorld, mondayMorning } from '../../support/world.ts';

const minuteMs = 60_000;
const dayMinutes = 1_440;

// Around midnight in Jakarta, so that visits of the day before and of the day after are near.
const midnight = mondayMorning - 7 * 60 * minuteMs;

/** As long as visits mostly are, at the edge of what counts as usual, or anything up to a day. */
const minutes = fc.oneof(
  fc.constantFrom(5, 30, 59, 60, 61, 90, dayMinutes - 1, dayMinutes),
  fc.integer({ min: 5, max: dayMinutes }),
);
const start = fc.oneof(
  fc.integer({ min: -90, max: 90 }),
  fc.integer({ min: -dayMinutes - 60, max: 2 * dayMinutes }),
);
const visit = fc.record({ start, minutes, isCanceled: fc.boolean(), isOfOther: fc.boolean() });
type Visit = typeof visit extends fc.Arbitrary<infer T> ? T : never;

describe('whether the doctor is free', () => {
  it('is what comparing with every visit says, however long they are', async () => {
    const world = await createWorld();
    const { db, deps } = world;
    const { doctorId, sessionId } = await createPractice(world);
    const other = await createPractice(world);
    const { id: patientId } = await createPerson(world);
    const rowOf = ({ start, minutes, isCanceled, isOfOther }: Visit, at: number) => {
      const startsAt = midnight + start * minuteMs;
      return {
        id: deps.newId(),
        writeId: deps.newId(),
        version: 1,
        patientId,
        doctorId: isOfOther ? other.doctorId : doctorId,
        doctorName: '',
        sessionId,
        sessionName: '',
        scheduleDate: deps.clinicTime.dateOf(startsAt),
        scheduleTime: '00:00:00',
        startsAt,
        endsAt: startsAt + minutes * minuteMs,
        seat: at,
        queueNumber: at,
        bookingCode: `K${at}`,
        notes: '',
        status: isCanceled ? ('canceled' as const) : ('waiting' as const),
        createdBy: patientId,
        createdAt: 0,
        updatedAt: 0,
        callCount: 0,
      };
    };

    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(visit, { minLength: 1, maxLength: 4, selector: ({ start }) => start }),
        start,
        minutes,
        async (visits, from, length) => {
          const rows = visits.map(rowOf);
          await db.delete(bookings);
          // One statement takes a hundred values on Workers.
          for (const row of rows) await db.insert(bookings).values(row);
          const startsAt = midnight + from * minuteMs;
          const endsAt = startsAt + length * minuteMs;
          const [row] = await db
            .select({ isFree: sql<number>`${doctorFree}` })
            .from(sql`(select '' as id, ${doctorId} as doctor_id, ${startsAt} as starts_at, ${endsAt} as ends_at,
              ${deps.clinicTime.dateOf(startsAt)} as schedule_date) r`);
          const isTaken = rows.some(
            (one) =>
              one.doctorId === doctorId &&
              one.status !== 'canceled' &&
              one.startsAt !== startsAt &&
              one.startsAt < endsAt &&
              one.endsAt > startsAt,
          );
          expect(row?.isFree).toBe(isTaken ? 0 : 1);
        },
      ),
      { numRuns: 300 },
    );
  });
});
