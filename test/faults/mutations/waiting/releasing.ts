import { and, eq, isNull, ne } from 'drizzle-orm';
import { bookings } from '../../../../src/core/tables/bookings.ts';
import { clinic as clinicRow } from '../../../../src/core/tables/catalog.ts';
import { releaseUnconfirmed } from '../../../../src/modules/booking/confirming/release.ts';
import { dates } from './clinic.ts';
import type { Scene } from './scene.ts';

/** Seats of patients who do not answer go to the waitlist, and to nobody else: meanwhile those who wait leave it. */
export const releasing = ({ ask, clinic, clock, db, deps, violations }: Scene) => {
  const setTime = (time: string | null) => db.update(clinicRow).set({ releaseUnconfirmedAt: time });

  return async (): Promise<void> => {
    await setTime('00:00');
    await db
      .update(bookings)
      .set({ askedAt: 1, confirmedAt: null })
      .where(
        and(eq(bookings.scheduleDate, dates[1]), isNull(bookings.heldUntil), ne(bookings.status, 'canceled')),
      );
    const before = await clinic.read();
    const leaving = before.entries.flatMap(({ id, endedAt, createdBy }) => {
      const member = clinic.patients.find((one) => one.id === createdBy);
      return endedAt === null && member !== undefined ? [{ id, member }] : [];
    });
    await Promise.all([
      releaseUnconfirmed(deps, clock.now),
      ...leaving.map(({ id, member }) => ask(member, `/v1/waitlist/${id}`, {}, 'DELETE')),
    ]);
    const { rows } = await clinic.read();
    const known = new Set(before.rows.map(({ id }) => id));
    const gone = new Set(before.live.map(({ id }) => id));
    const offers = rows.filter(({ id, waitlistId }) => !known.has(id) && waitlistId !== null);
    for (const row of rows.filter((one) => one.cancelReasonCode === 'unconfirmed' && gone.has(one.id)))
      if (!offers.some(({ doctorId, startsAt }) => doctorId === row.doctorId && startsAt === row.startsAt))
        violations.push(`a seat of ${row.scheduleTime} was taken from somebody, and offered to nobody`);
    await setTime(null);
  };
};
