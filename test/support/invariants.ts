import { sql } from 'drizzle-orm';
import type { Db } from '../../src/core/db/db.ts';
import { bookings, queues } from '../../src/core/tables/bookings.ts';
import { schedules } from '../../src/core/tables/catalog.ts';
import { replays } from '../../src/core/tables/idempotency.ts';
import { patients } from '../../src/core/tables/patients.ts';
import { bookingEvents } from '../../src/core/tables/webhooks.ts';
import { bookingInvariants } from '../../src/modules/booking/record/invariants.ts';
import { maxOverbooked } from '../../src/modules/booking/seats/decision.ts';
import { patientInvariants } from '../../src/modules/patients/invariants.ts';

type Booking = typeof bookings.$inferSelect;
type Event = typeof bookingEvents.$inferSelect;
type Payload = Record<string, unknown>;

const groupsOf = <T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
};

/** Rows of one owner that overlap in time, though each may share its very start with others if `sharesStart`. */
const overlapsOf = (rows: readonly Booking[], sharesStart: boolean): string[] => {
  const sorted = [...rows].sort((a, b) => a.startsAt - b.startsAt);
  return sorted.slice(1).flatMap((later, at) => {
    const earlier = sorted[at] as Booking;
    const shares = sharesStart && earlier.startsAt === later.startsAt;
    return !shares && earlier.endsAt > later.startsAt ? [`${earlier.id} and ${later.id}`] : [];
  });
};

const seatsBroken = (live: readonly Booking[], capacities: ReadonlyMap<string, number>): string[] =>
  [...groupsOf(live, ({ doctorId, startsAt }) => `${doctorId} ${startsAt}`)].flatMap(([slot, rows]) => {
    const [first] = rows as [Booking];
    const capacity = capacities.get(`${first.doctorId} ${first.sessionId}`) ?? 0;
    const seats = rows.map(({ seat }) => seat);
    const beyond = Math.min(maxOverbooked, rows.filter(({ overbooked }) => overbooked === 1).length);
    return [
      ...(rows.length > capacity + beyond ? [`slot ${slot} holds ${rows.length} of ${capacity}`] : []),
      ...(new Set(seats).size < seats.length ? [`slot ${slot} gave a seat twice: ${seats}`] : []),
      ...(seats.some((seat) => seat < 1) ? [`slot ${slot} has a seat below 1`] : []),
    ];
  });

const payloadOf = (event: Event): Payload => JSON.parse(event.payload) as Payload;

/** The required content of a booking's last event. */
const expectedPayload = (row: Booking): Payload => ({
  booking_id: row.id,
  version: row.version,
  patient_id: row.patientId,
  doctor_id: row.doctorId,
  session_id: row.sessionId,
  schedule_date: row.scheduleDate,
  schedule_time: row.scheduleTime,
  starts_at: new Date(row.startsAt).toISOString(),
  ends_at: new Date(row.endsAt).toISOString(),
  status: row.status,
  queue_number: row.queueNumber,
  overbooked: row.overbooked === 1,
  queue_label: row.queueLabel,
});

const historyBroken = (row: Booking, events: readonly Event[]): string[] => {
  const versions = events.map(({ version }) => version).sort((a, b) => a - b);
  if (versions.length !== row.version || versions.some((version, at) => version !== at + 1))
    return [`booking ${row.id} at version ${row.version} has events of versions ${versions}`];
  const last = events.find(({ version }) => version === row.version) as Event;
  const first = events.find(({ version }) => version === 1) as Event;
  const lastPayload = payloadOf(last);
  const lastStep = [...events]
    .sort((a, b) => b.version - a.version)
    .find(({ type }) => !['booking.updated', 'booking.answered', 'booking.confirmed'].includes(type));
  const differing = Object.entries(expectedPayload(row)).filter(
    ([name, value]) => lastPayload[name] !== value,
  );
  return [
    ...(first.type === (row.waitlistId === null ? 'booking.created' : 'booking.offered')
      ? []
      : [`booking ${row.id} begins with ${first.type}`]),
    ...(last.writeId === row.writeId ? [] : [`booking ${row.id} was last changed by another write`]),
    ...differing.map(([name]) => `booking ${row.id}: its last event tells another ${name}`),
    ...((lastStep?.type === 'booking.canceled') === (row.status === 'canceled')
      ? []
      : [`booking ${row.id} is ${row.status} after ${lastStep?.type}`]),
  ];
};

/** A ticket is a queue number a booking got on joining a queue; leaving and coming back takes another one. */
const ticketsOf = (events: readonly Event[]) => {
  const sorted = [...events].sort((a, b) => a.version - b.version).map(payloadOf);
  const places = sorted.map((p) => ({
    queue: `${p.doctor_id} ${p.schedule_date} ${p.session_id}`,
    number: p.queue_number as number,
  }));
  return places.filter(({ queue, number }, at) => {
    // An offer has no number until it is accepted.
    if (number === 0) return false;
    const before = places[at - 1];
    return before === undefined || before.queue !== queue || before.number !== number;
  });
};

const queuesBroken = (events: Map<string, Event[]>, counters: (typeof queues.$inferSelect)[]): string[] => {
  const tickets = [...events.values()].flatMap(ticketsOf);
  const last = new Map(counters.map((q) => [`${q.doctorId} ${q.scheduleDate} ${q.sessionId}`, q.lastNumber]));
  return [...groupsOf(tickets, ({ queue }) => queue)].flatMap(([queue, rows]) => {
    const numbers = rows.map(({ number }) => number);
    return [
      ...(new Set(numbers).size < numbers.length ? [`queue ${queue} gave a number twice: ${numbers}`] : []),
      ...(last.get(queue) === Math.max(...numbers) ? [] : [`queue ${queue} counts to ${last.get(queue)}`]),
    ];
  });
};

const replaysBroken = (
  storedResponses: (typeof replays.$inferSelect)[],
  ids: ReadonlySet<string>,
): string[] => {
  const parsed = storedResponses.map((row) => ({
    row,
    data: JSON.parse(row.body).data as { id?: string } | undefined,
  }));
  // Of a booking or a patient; other records may have been deleted since.
  const isOfThem = (data: object) => 'booking_code' in data || 'medical_record_number' in data;
  const lost = parsed.filter(({ data }) => data?.id !== undefined && isOfThem(data) && !ids.has(data.id));
  const created = parsed.filter(({ row, data }) => row.status === 201 && data?.id !== undefined);
  const twice = [...groupsOf(created, ({ data }) => data?.id ?? '')].filter(([, rows]) => rows.length > 1);
  return [
    ...lost.map(({ row }) => `the answer kept under ${row.key} names nothing that exists`),
    ...twice.map(([id]) => `${id} was made under two keys`),
  ];
};

/** The faults that the checks of a database find. */
const brokenOf = async (db: Db): Promise<string[]> => {
  const broken: string[] = [];
  for (const { holds, offenders } of [...bookingInvariants, ...patientInvariants]) {
    const rows = await db.select({ id: sql<string>`x.id`.as('id') }).from(sql`(${sql.raw(offenders)}) x`);
    if (rows.length > 0) broken.push(`${holds}: ${rows.map(({ id }) => id)}`);
  }
  return broken;
};

/** Everything that must hold of the stored bookings whatever was asked, in whatever order; empty when it does. */
export const findViolations = async (db: Db): Promise<string[]> => {
  const all = await db.select().from(bookings);
  // Visits that were imported hold no seat, and have no event.
  const rows = all.filter(({ channel }) => channel !== 'imported');
  const allEvents = (await db.select().from(bookingEvents)).filter(({ type }) => type.startsWith('booking.'));
  const counters = await db.select().from(queues);
  const storedResponses = await db.select().from(replays);
  const offers = await db.select().from(schedules);
  const capacities = new Map<string, number>();
  for (const { doctorId, sessionId, capacity } of offers) {
    const key = `${doctorId} ${sessionId}`;
    capacities.set(key, Math.max(capacity, capacities.get(key) ?? 0));
  }
  const live = rows.filter(({ status }) => status !== 'canceled');
  const records = await db.select().from(patients);
  const ids = new Set(all.map(({ id }) => id));
  const known = new Set([...ids, ...records.map(({ id }) => id)]);
  const events = groupsOf(allEvents, ({ bookingId }) => bookingId);
  const doctors = [...groupsOf(live, ({ doctorId }) => doctorId).values()];
  const ofPatients = [...groupsOf(live, ({ patientId }) => patientId).values()];
  return [
    ...seatsBroken(live, capacities),
    ...doctors
      .flatMap((own) => overlapsOf(own, true))
      .map((pair) => `the doctor of ${pair} has both at once`),
    ...ofPatients
      .flatMap((own) => overlapsOf(own, false))
      .map((pair) => `the patient of ${pair} has both at once`),
    ...rows.flatMap((row) => historyBroken(row, events.get(row.id) ?? [])),
    ...[...events.keys()].filter((id) => !ids.has(id)).map((id) => `events of no booking: ${id}`),
    ...queuesBroken(events, counters),
    ...replaysBroken(storedResponses, known),
    ...(await brokenOf(db)),
  ];
};
