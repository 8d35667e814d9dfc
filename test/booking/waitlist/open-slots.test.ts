import { isNotNull, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatLocalTime } from '../../../src/core/clinic/local-time.ts';
import { resolveRules } from '../../../src/core/clinic/rules.ts';
import { type ClinicTime, createClinicTime } from '../../../src/core/clinic/time.ts';
import { runAll } from '../../../src/core/db/db.ts';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { clinic, closures, doctors, schedules, sessions } from '../../../src/core/tables/catalog.ts';
import { holds, waitlistEntries } from '../../../src/core/tables/queues.ts';
import { bookingEvents } from '../../../src/core/tables/webhooks.ts';
import { buildOffer } from '../../../src/modules/booking/seats/offers.ts';
import { isWantedBy as isWantedByJob } from '../../../src/modules/booking/waitlist/match.ts';
import { unlimited } from '../../../src/modules/catalog/slots/limit-rules.ts';
import { slotsOfDay } from '../../../src/modules/catalog/slots/rules.ts';
import { createClosure, createDoctor, createSchedule, createSession } from '../../support/clinic.ts';
import { isOpenSlot, isWantedBy, readWaiting, whomItSuits } from '../../support/offer-oracle.ts';
import { createPeople } from '../../support/people.ts';
import { createWorld } from '../../support/world.ts';
import { runs, zones } from '../../support/zones.ts';

const minuteMs = 60_000;
/** Around a change of the clock of several zones, and of the year. */
const firstDays = ['2026-11-23', '2026-12-30', '2027-03-26', '2027-10-30', '2028-02-27'] as const;

const between = (min: number, max: number) => fc.integer({ min, max });
const seldom = (value: fc.Arbitrary<number>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value });

const schedule = fc.record({
  mine: fc.boolean(),
  session: between(0, 1),
  start: between(0, 90).map((n) => n * 15),
  slots: between(1, 4),
  slotMinutes: fc.constantFrom(15, 20, 45, 60, 240),
  capacity: between(1, 2),
  validFrom: seldom(between(0, 3)),
  validUntil: seldom(between(0, 3)),
  retired: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  weekday: between(0, 2),
  everyWeeks: fc.constantFrom(1, 1, 2, 3),
  weeksBefore: between(0, 1),
  rest: fc.option(fc.record({ after: between(0, 2), length: fc.constantFrom(5, 10, 45) })),
});

/** What a session limits for each patient, often nothing. */
const limits = fc.record({
  maxPerDay: seldom(between(1, 2)),
  minDaysBetween: seldom(between(1, 3)),
  openTo: fc.constantFrom('all' as const, 'all' as const, 'all' as const, 'new' as const, 'known' as const),
});

const closure = fc.record({
  whose: fc.constantFrom('clinic', 'own', 'other'),
  from: between(0, 3),
  days: between(0, 2),
  hours: fc.option(fc.record({ start: between(0, 92), quarters: between(1, 8) }), { freq: 4 }),
});

const scene = fc.record({
  zone: fc.constantFrom(...zones),
  firstDay: fc.constantFrom(...firstDays),
  schedules: fc.array(schedule, { minLength: 2, maxLength: 4 }),
  closures: fc.array(closure, { maxLength: 2 }),
  taken: fc.array(
    fc.record({
      near: fc.boolean(),
      pick: between(0, 99),
      shift: fc.constantFrom(0, 0, 0, -15, 10),
      length: fc.constantFrom(15, 60),
    }),
    { maxLength: 3 },
  ),
  // Of people who are about to book, live or over.
  held: fc.array(
    fc.record({
      pick: between(0, 99),
      near: fc.constantFrom(true, true, false),
      shift: fc.constantFrom(0, 0, 10),
      leftMs: fc.constantFrom(-1, 0, 1, 1),
    }),
    { maxLength: 2 },
  ),
  limits: fc.tuple(limits, limits),
  // What whoever waits had before, elsewhere.
  visits: fc.uniqueArray(
    fc.record({
      day: between(0, 4),
      session: between(0, 1),
      state: fc.constantFrom('stands', 'stands', 'canceled', 'missed', 'came'),
    }),
    { selector: ({ day }) => day, maxLength: 3 },
  ),
  now: between(-1_440, 1_440),
  ofSettings: fc.record({ notice: seldom(between(0, 600)), advance: seldom(between(0, 3)) }),
  ofClinic: fc.record({ notice: seldom(between(0, 600)), advance: seldom(between(0, 3)) }),
  wish: fc.record({
    doctor: fc.boolean(),
    from: between(0, 2),
    days: between(0, 3),
    earliest: seldom(between(0, 95)),
    latest: seldom(between(0, 95)),
  }),
  flaws: fc.record({
    doctor: between(0, 24).map((n) => n === 0),
    session: between(0, 24).map((n) => n === 0),
    rezoning: between(0, 24).map((n) => n === 0),
    otherZone: between(0, 24).map((n) => n === 0),
  }),
  /** Further slots that are asked about. */
  more: fc.array(between(0, 99), { minLength: 4, maxLength: 4 }),
  probe: fc.record({
    pick: between(0, 99),
    shift: fc.constantFrom(0, 0, 0, 0, 5),
    longer: fc.constantFrom(0, 0, 0, 15),
    session: between(0, 8),
  }),
});

type Scene = typeof scene extends fc.Arbitrary<infer T> ? T : never;

/** A place on the clock; null where the clock leaves it out. */
const placeOf = (clock: ClinicTime, date: string, minute: number, minutes: number) => {
  const startsAt = minute < 0 || minute >= 1_440 ? null : clock.instantOf(date, minute);
  if (startsAt === null) return null;
  const endsAt = startsAt + minutes * minuteMs;
  return { scheduleDate: date, scheduleTime: formatLocalTime(minute), startsAt, endsAt };
};

const visitStates = {
  stands: {},
  canceled: { status: 'canceled', canceledAt: 0, canceledBy: 'staff', cancelReasonCode: 'canceled' },
  missed: { status: 'approved', approvedAt: 0, noShowAt: 0 },
  came: { status: 'approved', approvedAt: 0, checkedInAt: 0 },
} as const;

const openWorld = async () => {
  const world = await createWorld({ QUIET_HOURS: 'off' });
  const doctorIds = [await createDoctor(world), await createDoctor(world)] as const;
  const sessionIds = [await createSession(world), await createSession(world)] as const;
  return { world, doctorIds, sessionIds, people: await createPeople(world, 4) };
};
type Real = Awaited<ReturnType<typeof openWorld>>;

/** Lays the scene out, and gives a slot of it that is asked for, with the clock and what holds of the rules. */
const layOut = async ({ world, doctorIds, sessionIds, people }: Real, made: Scene) => {
  const { db, deps } = world;
  const clock = createClinicTime(made.zone);
  const dayAt = (at: number) => clock.addDays(made.firstDay, at);
  const [own, other] = doctorIds;
  for (const table of [bookings, bookingEvents, waitlistEntries, holds, closures, schedules])
    await db.delete(table);
  const retiredIf = (isFlawed: boolean) => ({ retiredAt: isFlawed ? 1 : null });
  await db.batch([
    db.update(doctors).set(retiredIf(made.flaws.doctor)).where(sql`id = ${own}`),
    db
      .update(sessions)
      .set({ ...retiredIf(made.flaws.session), ...made.limits[0] })
      .where(sql`id = ${sessionIds[0]}`),
    db.update(sessions).set(made.limits[1]).where(sql`id = ${sessionIds[1]}`),
    db.update(clinic).set({
      timeZone: made.flaws.otherZone ? 'Asia/Tokyo' : made.zone,
      rezoningTo: made.flaws.rezoning ? 'Asia/Tokyo' : null,
      minNoticeMinutes: made.ofClinic.notice,
      maxAdvanceDays: made.ofClinic.advance,
    }),
  ]);
  for (const {
    mine,
    session,
    start,
    slots,
    slotMinutes,
    capacity,
    validFrom,
    validUntil,
    retired,
    weekday,
    everyWeeks,
    weeksBefore,
    rest,
  } of made.schedules) {
    const from = start + (rest?.after ?? 0) * slotMinutes;
    const until = from + (rest?.length ?? 0);
    const isInside = rest !== null && until < Math.min(1_440, start + slots * slotMinutes);
    const first = validFrom ?? (everyWeeks > 1 ? weekday - 7 * weeksBefore : null);
    await createSchedule(world, {
      doctorId: mine ? own : other,
      sessionId: sessionIds[session] ?? sessionIds[0],
      weekday: clock.weekdayOf(dayAt(weekday)),
      startTime: formatLocalTime(start),
      endTime: formatLocalTime(Math.min(1_440, start + slots * slotMinutes)),
      slotMinutes,
      capacity,
      validFrom: first === null ? null : dayAt(first),
      validUntil: validUntil === null ? null : dayAt(validUntil),
      retiredAt: retired ? 1 : null,
      everyWeeks,
      ...(isInside && { breakStart: formatLocalTime(from), breakEnd: formatLocalTime(until) }),
    });
  }
  for (const { whose, from, days, hours } of made.closures)
    await createClosure(world, {
      startDate: dayAt(from),
      endDate: dayAt(from + days),
      doctorId: { clinic: null, own, other }[whose] ?? null,
      ...(hours !== null && {
        startTime: formatLocalTime(hours.start * 15),
        endTime: formatLocalTime(Math.min(1_440, (hours.start + hours.quarters) * 15)),
      }),
    });
  const laid = (await db.select().from(schedules)).map((row) => ({
    ...row,
    sessionName: '',
    approval: 'manual' as const,
    ...unlimited,
  }));
  // Asked for are also those that break and week leave out.
  const always = { everyWeeks: 1, breakStart: null, breakEnd: null };
  const laidSlots = [0, 1, 2].flatMap((at) =>
    laid.flatMap((row) =>
      slotsOfDay([row, row, { ...row, ...always }], dayAt(at), clock).map((slot) => ({
        ...slot,
        doctorId: row.doctorId,
      })),
    ),
  );
  const asked = (pick: number, shift: number, longer: number) => {
    const slot = laidSlots[pick % laidSlots.length];
    if (slot === undefined) return null;
    const place = placeOf(clock, slot.date, slot.minuteOfDay + shift, slot.slotMinutes + longer);
    return place && { doctorId: slot.doctorId, sessionId: slot.sessionId, ...place };
  };
  const { probe, wish } = made;
  const slot = asked(probe.pick, probe.shift, probe.longer);
  for (const [at, { near, pick, shift, length }] of made.taken.entries()) {
    const place = asked(near ? probe.pick : pick, shift, 0);
    const id = deps.newId();
    const patientId = people[at + 1]?.id;
    if (place === null || patientId === undefined) continue;
    const names = { doctorName: '', sessionName: '', notes: '', bookingCode: `K${at}` };
    const endsAt = shift === 0 ? place.endsAt : place.startsAt + length * minuteMs;
    const counts = {
      version: 1,
      seat: at + 1,
      queueNumber: at + 1,
      callCount: 0,
      createdAt: 1,
      updatedAt: 1,
    };
    const whose = { id, writeId: id, patientId, createdBy: patientId };
    await db.insert(bookings).values({ ...place, ...names, ...counts, ...whose, endsAt, status: 'waiting' });
  }
  const patientId = people[0]?.id ?? '';
  const now = clock.startOf(made.firstDay) + made.now * minuteMs;
  for (const { pick, near, shift, leftMs } of made.held) {
    const place = asked(near ? probe.pick : pick, shift, 0);
    if (place === null) continue;
    const names = { id: deps.newId(), secretHash: deps.newId() };
    await db.insert(holds).values({ ...place, ...names, createdAt: now, expiresAt: now + leftMs });
  }
  for (const { day, session, state } of made.visits) {
    const id = deps.newId();
    const midnight = clock.startOf(dayAt(day));
    const names = { doctorName: '', sessionName: '', notes: '', bookingCode: id, createdBy: patientId };
    const counts = { version: 1, seat: 1, queueNumber: 1, callCount: 0, createdAt: 1, updatedAt: 1 };
    // As the day begins, and over before: they leave the patient free for every slot, and the doctor too.
    await db.insert(bookings).values({
      ...{ id, writeId: id, patientId, doctorId: other, sessionId: sessionIds[session] ?? sessionIds[0] },
      ...{ scheduleDate: dayAt(day), scheduleTime: '00:00:00', startsAt: midnight + 1, endsAt: midnight },
      ...{
        ...names,
        ...counts,
        status: 'waiting' as const,
        ...visitStates[state as keyof typeof visitStates],
      },
    });
  }
  await db.insert(waitlistEntries).values({
    id: deps.newId(),
    patientId,
    sessionId: slot?.sessionId ?? sessionIds[0],
    doctorId: wish.doctor ? own : null,
    fromDate: dayAt(wish.from === 2 ? 1 : 0),
    toDate: dayAt(wish.days === 0 ? 1 : 4),
    earliestTime: wish.earliest === null ? null : formatLocalTime(wish.earliest * 15),
    latestTime: wish.latest === null ? null : formatLocalTime(wish.latest * 15),
    position: 1,
    createdBy: patientId,
    createdAt: 1,
  });
  const probes = [slot, ...made.more.map((pick) => asked(pick, 0, 0))].filter((one) => one !== null);
  const isSwapped = probe.session === 0;
  return { clock, now, slots: isSwapped ? probes.map((one) => ({ ...one, doctorId: other })) : probes };
};

const settingsOf = ({ notice, advance }: Scene['ofSettings']) => ({
  MIN_NOTICE_MINUTES: notice ?? undefined,
  MAX_ADVANCE_DAYS: advance ?? undefined,
});

// The offer asks in SQL what listing and booking ask by the pure rule: whatever the calendar holds, both say the same.
it('a seat is offered exactly where the rules of booking have it open and it suits', async () => {
  const real = await openWorld();
  const { db, deps } = real.world;
  const seen = { open: 0, closed: 0, offered: 0, unwanted: 0 };
  await fc.assert(
    fc.asyncProperty(scene, async (made) => {
      const { clock, now, slots } = await layOut(real, made);
      const settings = { ...deps.config, ...settingsOf(made.ofSettings) };
      const state = await readWaiting(db);
      const asking = { now, clock, window: resolveRules(settings, state.own ?? {}) };
      const [entry] = state.entries;
      for (const slot of slots) {
        const due = whomItSuits(state, slot, asking);
        seen[isOpenSlot(state, slot, asking) ? 'open' : 'closed'] += 1;
        seen[due !== undefined ? 'offered' : 'unwanted'] += 1;
        const offer = buildOffer(
          { deps: { ...deps, config: settings, clinicTime: clock }, now, requestId: 'x' },
          slot,
        );
        expect(entry && isWantedByJob(entry, slot)).toBe(entry && isWantedBy(entry, slot));
        await runAll(db, offer);
        const rows = await db.delete(bookings).where(isNotNull(bookings.waitlistId)).returning();
        const events = await db.delete(bookingEvents).returning();
        expect({ held: rows.map(({ waitlistId }) => waitlistId), told: events.length }).toEqual(
          due === undefined ? { held: [], told: 0 } : { held: [due.id], told: 1 },
        );
      }
    }),
    { numRuns: runs(150) },
  );
  // Without these it would have proved nothing. Forty of the rarest are usual.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
});
