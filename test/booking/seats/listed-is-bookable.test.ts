import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { createClinicTime } from '../../../src/core/clinic/time.ts';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { closures, sessions } from '../../../src/core/tables/catalog.ts';
import { holds } from '../../../src/core/tables/queues.ts';
import { bookingEvents } from '../../../src/core/tables/webhooks.ts';
import { createAdmin } from '../../support/admin.ts';
import { createClosure, createDoctor, createSchedule, createSession } from '../../support/clinic.ts';
import { codesOn } from '../../support/holds.ts';
import { createPerson } from '../../support/people.ts';
import { createWorld, type World } from '../../support/world.ts';
import { runs, zones } from '../../support/zones.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;
const time = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:00`;

const minuteOf = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));

const day = fc.integer({ min: 0, max: 6 });
const between = (min: number, max: number) => fc.integer({ min, max });

/** At most two schedules per weekday, the second after the first, so that they never overlap. */
const hours = fc
  .record({
    weekday: between(1, 7),
    start: between(0, 90).map((n) => n * 15),
    slots: between(1, 6),
    slotMinutes: fc.constantFrom(15, 20, 30, 45, 60, 90, 240),
    capacity: between(1, 3),
    session: between(0, 1),
    validFrom: fc.option(day, { freq: 4 }),
    validUntil: fc.option(day, { freq: 4 }),
    everyWeeks: fc.constantFrom(1, 1, 2, 3),
    rest: fc.option(fc.record({ after: between(1, 4), length: fc.constantFrom(5, 10, 45) })),
    room: fc.constantFrom('', 'Ruang 1'),
  })
  .filter(({ start, slots, slotMinutes }) => start + slots * slotMinutes <= 1_440);

/** Extra hours late on a single date, of the doctor and of a colleague in the same room. */
const extra = fc.record({ day, start: between(91, 94).map((n) => n * 15), session: between(0, 1) });

const closure = fc.record({
  mine: fc.boolean(),
  from: day,
  days: between(0, 2),
  hours: fc.option(fc.record({ start: between(0, 22), length: between(1, 8) })),
});

const question = { id: 'alergi', type: 'text', label: 'Alergi?', options: [], new_patients_only: false };
const required = JSON.stringify([{ ...question, required: true }]);

/** What a session limits for each patient, often nothing, and what it asks: a required answer that is missing keeps nobody away. */
const limits = fc.record({
  questions: fc.constantFrom(null, required),
  maxPerDay: fc.option(between(1, 2), { freq: 2 }),
  minDaysBetween: fc.option(between(1, 3), { freq: 2 }),
  openTo: fc.constantFrom('all' as const, 'all' as const, 'new' as const, 'known' as const),
});

/** What the patient had before, elsewhere: it stands, was canceled or missed, or they came. */
const visit = fc.record({
  day,
  session: between(0, 1),
  state: fc.constantFrom('stands', 'stands', 'canceled', 'missed', 'came'),
});

const practice = fc.record({
  limits: fc.tuple(limits, limits),
  visits: fc.uniqueArray(visit, { selector: ({ day }) => day, maxLength: 4 }),
  schedules: fc.uniqueArray(hours, { selector: ({ weekday }) => weekday, minLength: 2, maxLength: 7 }),
  extras: fc.uniqueArray(extra, { selector: ({ day }) => day, maxLength: 2 }),
  closures: fc.array(closure, { maxLength: 2 }),
  others: fc.array(
    fc.record({
      day,
      minute: between(0, 95).map((n) => n * 15),
      length: fc.constantFrom(15, 60),
      // An offer of the waitlist, live or over, or a booking.
      leftMs: fc.constantFrom(null, null, -1, 0, 1),
    }),
    { maxLength: 4 },
  ),
  // Of people who are about to book: at slots of the schedules, or from a time when the grid was another; live or over.
  held: fc.array(
    fc.record({
      nth: between(0, 10_000),
      later: fc.constantFrom(0, 0, 10),
      length: fc.constantFrom(15, 30, 60),
      leftMs: fc.constantFrom(-1, 0, 1, 300_000, 300_000),
    }),
    { minLength: 2, maxLength: 6 },
  ),
  now: between(-1_440, 5 * 1_440),
  probes: fc.array(fc.record({ day, minute: between(0, 287).map((n) => n * 5), session: between(0, 1) }), {
    minLength: 6,
    maxLength: 6,
  }),
  picks: fc.array(between(0, 10_000), { minLength: 5, maxLength: 5 }),
});

type Practice = typeof practice extends fc.Arbitrary<infer T> ? T : never;

/** A booking from a time when the grid was another: it may lie across any slot. */
const insertBooking = async (
  world: World,
  doctorId: string,
  sessionId: string,
  startsAt: number,
  minutes: number,
  { patientId, ...more }: Partial<typeof bookings.$inferInsert> = {},
) => {
  const patient = { id: patientId ?? (await createPerson(world)).id };
  const [id, writeId] = [world.deps.newId(), world.deps.newId()];
  await world.db.insert(bookingEvents).values({
    ...{ writeId, bookingId: id, version: 1, type: 'booking.created', actorRole: 'system', requestId: '' },
    ...{ occurredAt: 0, payload: '{}' },
  });
  await world.db.insert(bookings).values({
    id,
    version: 1,
    writeId,
    patientId: patient.id,
    doctorId,
    doctorName: '',
    sessionId,
    sessionName: '',
    scheduleDate: world.deps.clinicTime.dateOf(startsAt),
    scheduleTime: '00:00:00',
    startsAt,
    endsAt: startsAt + minutes * minuteMs,
    seat: 1,
    queueNumber: 1,
    bookingCode: world.deps.newId(),
    notes: '',
    status: 'waiting',
    createdBy: patient.id,
    createdAt: 0,
    updatedAt: 0,
    callCount: 0,
    ...more,
  });
};

const layHolds = async (
  world: World,
  [doctorId, sessionId]: readonly [string, string],
  slots: readonly Listed[],
  held: Practice['held'],
) => {
  const { now } = world.clock;
  for (const { nth, later, length, leftMs } of held) {
    const { schedule_date, schedule_time } = slots[nth % slots.length] as Listed;
    const start = world.deps.clinicTime.instantOf(schedule_date, minuteOf(schedule_time));
    const startsAt = (start ?? 0) + later * minuteMs;
    await world.db.insert(holds).values({
      ...{ id: world.deps.newId(), secretHash: world.deps.newId(), doctorId, sessionId },
      ...{ scheduleDate: schedule_date, scheduleTime: schedule_time },
      ...{ startsAt, endsAt: startsAt + length * minuteMs, createdAt: now, expiresAt: now + leftMs },
    });
  }
};

const visitStates = {
  stands: {},
  canceled: { status: 'canceled', canceledAt: 0, canceledBy: 'patient', cancelReasonCode: 'canceled' },
  missed: { status: 'approved', approvedAt: 0, noShowAt: 0 },
  came: { status: 'approved', approvedAt: 0, checkedInAt: 0 },
} as const;

const layOut = async (world: World, dates: readonly string[], wanted: Practice) => {
  const doctorId = await createDoctor(world);
  const sessionIds = [await createSession(world, 'A'), await createSession(world, 'B')];
  for (const [at, id] of sessionIds.entries())
    await world.db
      .update(sessions)
      .set(wanted.limits[at] ?? {})
      .where(eq(sessions.id, id));
  const dateOf = (at: number | null) => (at === null ? null : (dates[at] ?? null));
  const admin = await createAdmin(world);
  for (const {
    start,
    slots,
    slotMinutes,
    session,
    validFrom,
    validUntil,
    rest,
    ...schedule
  } of wanted.schedules) {
    const { after = 0, length = 0 } = rest ?? {};
    const [from, until] = [start + after * slotMinutes, start + after * slotMinutes + length];
    const isInside = rest !== null && until < start + slots * slotMinutes;
    await createSchedule(world, {
      doctorId,
      sessionId: sessionIds[session] ?? '',
      startTime: time(start),
      endTime: time(start + slots * slotMinutes),
      slotMinutes,
      // Those of every second or third week begin in a week before this one, or in this one.
      validFrom: dateOf(validFrom) ?? (schedule.everyWeeks > 1 ? '2026-11-04' : null),
      validUntil: dateOf(validUntil),
      ...(isInside && { breakStart: time(from), breakEnd: time(until) }),
      ...schedule,
    });
  }
  const colleague = await createDoctor(world);
  for (const { day, start, session } of wanted.extras)
    for (const doctor_id of [doctorId, colleague])
      await admin.post('/v1/admin/schedules', {
        doctor_id,
        session_id: sessionIds[session],
        date: dates[day],
        start_time: time(start),
        end_time: time(start + 30),
        slot_minutes: 15,
        room: 'Ruang 1',
      });
  for (const { mine, from, days, hours } of wanted.closures)
    await createClosure(world, {
      doctorId: mine ? doctorId : null,
      startDate: dates[from] ?? '',
      endDate: dates[Math.min(6, from + days)] ?? '',
      startTime: hours === null ? null : time(hours.start * 60),
      endTime: hours === null ? null : time(Math.min(24, hours.start + hours.length) * 60),
    });
  const taken = new Set<number>();
  const later = world.deps.clinicTime.startOf(dates[0] ?? '') + wanted.now * minuteMs;
  for (const { day, minute, length, leftMs } of wanted.others) {
    const startsAt = world.deps.clinicTime.instantOf(dates[day] ?? '', minute);
    if (startsAt === null || taken.has(startsAt)) continue;
    taken.add(startsAt);
    await insertBooking(world, doctorId, sessionIds[0] ?? '', startsAt, length, {
      heldUntil: leftMs === null ? null : later + leftMs,
    });
  }
  const patient = await createPerson(world);
  const elsewhere = await createDoctor(world);
  for (const { day, session, state } of wanted.visits) {
    const midnight = world.deps.clinicTime.startOf(dates[day] ?? '');
    // As the day begins, and over before: they leave the patient free for the slots, also for one at midnight.
    await insertBooking(world, elsewhere, sessionIds[session] ?? '', midnight + 1, 0, {
      patientId: patient.id,
      endsAt: midnight,
      scheduleDate: dates[day] ?? '',
      ...visitStates[state as keyof typeof visitStates],
    });
  }
  return { doctorId, sessionIds, patient };
};

/** The first date of a week in which the zone's clock changes, or of any week. */
const weekOfChange = (zone: string): string => {
  const clock = createClinicTime(zone);
  for (let date = '2026-12-01'; date < '2027-12-01'; date = clock.addDays(date, 1)) {
    const next = clock.addDays(date, 1);
    if (clock.startOf(next) - clock.startOf(date) !== dayMs) return clock.addDays(date, -3);
  }
  return '2026-12-01';
};

interface Asked {
  schedule_date: string;
  schedule_time: string;
  session_id: string;
  doctor_id?: string;
}
interface Listed extends Asked {
  remaining: number;
  reason?: string;
}
const nameOf = (slot: { schedule_date: string; schedule_time: string; session_id: string }) =>
  `${slot.schedule_date} ${slot.schedule_time} ${slot.session_id}`;

let booked = 0;
// One zone's few calendars may all be full; of all zones' together some must have free slots.
afterAll(() => expect(booked).toBeGreaterThan(0));

it.each(zones)(
  'one rule in %s: every slot that is listed for a patient can be booked by them, and nothing else can',
  async (zone) => {
    // A week in which this zone's clock changes, if it does.
    const first = weekOfChange(zone);
    const world = await createWorld({
      ...codesOn,
      MAX_UNPROVED_BOOKINGS: '0',
      CLINIC_TIME_ZONE: zone,
      MIN_NOTICE_MINUTES: '45',
      MAX_ADVANCE_DAYS: '5',
    });
    const dates = Array.from({ length: 7 }, (_, at) => world.deps.clinicTime.addDays(first, at));
    const weekStart = world.deps.clinicTime.startOf(first);
    await fc.assert(
      fc.asyncProperty(practice, async (wanted) => {
        world.clock.now = weekStart - 7 * dayMs;
        await world.db.delete(closures);
        const { doctorId, sessionIds, patient } = await layOut(world, dates, wanted);
        world.clock.now = weekStart + wanted.now * minuteMs;
        const list = async (more = ''): Promise<Listed[]> =>
          (
            await world.request(
              `/v1/doctors/${doctorId}/slots?from=${dates[0]}&to=${dates[6]}&patient_id=${patient.id}${more}`,
              { token: patient.token },
            )
          ).body.data;
        const slots = await list('&include=unavailable');
        if (slots.length > 0) await layHolds(world, [doctorId, sessionIds[0] ?? ''], slots, wanted.held);
        const open = await list();
        const all = await list('&include=unavailable');
        expect(all.filter(({ reason }) => reason === undefined)).toEqual(open);
        // The list of all doctors, from which the soonest of any is booked, says the same of this one.
        const week = `from=${dates[0]}&to=${dates[6]}&doctor_id=${doctorId}&patient_id=${patient.id}`;
        const ofAll = await world.request(`/v1/slots?${week}&include=unavailable`, { token: patient.token });
        const saidOf = (each: Listed[]) =>
          each.map((slot) => `${nameOf(slot)} ${slot.reason ?? 'open'}`).sort();
        expect(saidOf(ofAll.body.data)).toEqual(saidOf(all));
        const listed = new Set(open.map(nameOf));
        const reasons = new Map(all.map((slot) => [nameOf(slot), slot.reason]));
        const tryToBook = async ({
          schedule_date,
          schedule_time,
          session_id,
          doctor_id = doctorId,
        }: Asked) => {
          const { token } = patient;
          const body = { schedule_date, schedule_time, session_id, doctor_id, notes: '' };
          const answer = await world.request('/v1/bookings', { token, body });
          if (answer.status === 201) {
            booked += 1;
            await world.request(`/v1/bookings/${answer.body.data.id}/cancel`, { method: 'POST', token });
          }
          return answer;
        };
        const pick = (slots: Listed[]) =>
          slots.length === 0 ? [] : wanted.picks.map((n) => slots[n % slots.length] as Listed);
        const probes = wanted.probes.map(({ day, minute, session }) => ({
          schedule_date: dates[day] ?? '',
          schedule_time: time(minute),
          session_id: sessionIds[session] ?? '',
        }));
        const closed = all.filter(({ reason }) => reason !== undefined);
        for (const { schedule_date, schedule_time, session_id } of [
          ...pick(open),
          ...pick(closed),
          ...probes,
        ]) {
          const slot = { schedule_date, schedule_time, session_id };
          const { status, body } = await tryToBook(slot);
          const reason = reasons.get(nameOf(slot));
          if (listed.has(nameOf(slot))) expect([slot, status]).toEqual([slot, 201]);
          else if (reason === 'full') {
            expect([status, body.code]).toEqual([409, 'slot_full']);
            for (const other of body.alternatives)
              expect([slot, other, (await tryToBook(other)).status]).toEqual([slot, other, 201]);
          } else if (status !== 422 || body.code !== 'session_not_offered')
            expect([slot, status, body.reason]).toEqual([slot, 422, reason ?? 'not_offered']);
        }
      }),
      { numRuns: runs(5) },
    );
  },
  120_000,
);
