import { and, eq, isNull, ne } from 'drizzle-orm';
import { bookings } from '../../../../src/core/tables/bookings.ts';
import { clinic as clinicRow } from '../../../../src/core/tables/catalog.ts';
import { releaseUnconfirmed } from '../../../../src/modules/booking/confirming/release.ts';
import { whomItSuits } from '../../../support/offer-oracle.ts';
import { dates, wished } from './clinic.ts';
import type { Scene } from './scene.ts';

/** Seats of patients who do not answer go to the waitlist, and to nobody else: meanwhile those who wait leave it. */
export const releasing = ({ ask, asked, clinic, clock, db, deps, random, violations }: Scene) => {
  const setTime = (time: string | null) => db.update(clinicRow).set({ releaseUnconfirmedAt: time });

  const askAll = () =>
    db
      .update(bookings)
      .set({ askedAt: 1, confirmedAt: null })
      .where(and(isNull(bookings.heldUntil), ne(bookings.status, 'canceled')));

  /** Nobody leaves the list: what of tomorrow was not answered, and suits somebody, changes hands, and nothing else. */
  const releaseCalmly = async (): Promise<void> => {
    for (const member of clinic.patients) {
      const wish = { ...wished(clinic, random, member), from: dates[0], to: dates[1] };
      await ask(member, '/v1/waitlist', wish);
    }
    await askAll();
    const { live } = await clinic.read();
    const answered = new Set(live.flatMap(({ id }) => (random() < 0.5 ? [id] : [])));
    for (const id of answered) await db.update(bookings).set({ confirmedAt: 2 }).where(eq(bookings.id, id));
    await releaseUnconfirmed(deps, clock.now);
    await releaseUnconfirmed(deps, clock.now);
    const state = await clinic.read();
    const isToGo = ({ id, scheduleDate, heldUntil }: (typeof live)[number]): boolean =>
      scheduleDate === dates[1] && heldUntil === null && !answered.has(id);
    for (const before of live) {
      const row = state.live.find(({ id }) => id === before.id);
      if (row === undefined && !isToGo(before))
        violations.push(
          `a seat of ${before.scheduleDate} was taken from somebody who answered, or too early`,
        );
      if (row === undefined || !isToGo(row)) continue;
      const others = { ...state, live: state.live.filter(({ id }) => id !== row.id) };
      const due = whomItSuits(others, row, asked(), row.patientId);
      if (due !== undefined)
        violations.push(`nobody gave up a seat of ${row.scheduleTime}, and ${due.position} waits`);
    }
  };

  return async (): Promise<void> => {
    await setTime('00:00');
    await releaseCalmly();
    await askAll();
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
