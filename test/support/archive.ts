import { asc, sql } from 'drizzle-orm';
import { bookings } from '../../src/core/tables/bookings.ts';
import { bookingEvents } from '../../src/core/tables/webhooks.ts';
import { act, book, createClinic } from './clinic-people.ts';
import { copyRow } from './copies.ts';
import { createWorld, type World } from './world.ts';

const dayMs = 86_400_000;

/** Makes every booking so many days older, as if nothing had happened since. */
export const age = async ({ db }: World, days: number): Promise<void> => {
  const ms = days * dayMs;
  await db.update(bookings).set({
    scheduleDate: sql`date(schedule_date, ${`-${days} days`})`,
    startsAt: sql`starts_at - ${ms}`,
    endsAt: sql`ends_at - ${ms}`,
    updatedAt: sql`updated_at - ${ms}`,
  });
};

const hex = "printf('%012x', i)";

/**
 * A clinic with an archive, whose patient has a past of many years: visits that were completed, and some that were canceled,
 * each with its events.
 */
export const createPast = async (copies = 14, settings: Record<string, string> = {}) => {
  const world = await createWorld({ ARCHIVE_AFTER_DAYS: '400', ...settings });
  const clinic = await createClinic(world, { capacity: 5 });
  const { staff, patient } = clinic;
  const done = await book(world, clinic, { notes: 'Batuk sejak Senin' });
  await act(world, staff, done, 'check-in');
  await act(world, staff, done, 'complete');
  const off = await book(world, clinic, { schedule_time: '10:00:00', notes: 'Kontrol' });
  await act(world, patient, off, 'cancel');
  await age(world, 500);
  const id = sql.raw(`substr(b."id", 1, 24) || ${hex}`);
  await copyRow(world, bookings, copies, {
    id,
    writeId: sql.raw(`substr(b."write_id", 1, 24) || ${hex}`),
    bookingCode: sql.raw('substr(b.booking_code, 1, 2) || b.status || i'),
    scheduleDate: sql.raw("date(b.schedule_date, '-' || (i * 7) || ' days')"),
    startsAt: sql.raw(`b.starts_at - i * 7 * ${dayMs}`),
    endsAt: sql.raw(`b.ends_at - i * 7 * ${dayMs}`),
    queueNumber: sql.raw('b.queue_number + i'),
  });
  const events = await world.db.select().from(bookingEvents);
  const ofBookings = new Set([done, off]);
  let sequence = Math.max(...events.map((event) => event.sequence));
  const copied = events
    .filter(({ bookingId }) => ofBookings.has(bookingId))
    .flatMap((event) =>
      Array.from({ length: copies }, (_, at) => {
        const tail = (at + 1).toString(16).padStart(12, '0');
        sequence += 1;
        return {
          ...event,
          sequence,
          writeId: crypto.randomUUID(),
          bookingId: event.bookingId.slice(0, 24) + tail,
        };
      }),
    );
  for (let at = 0; at < copied.length; at += 5)
    await world.db.insert(bookingEvents).values(copied.slice(at, at + 5));
  // The newest event keeps its booking where it is.
  const body = { name: 'Bu Sari', birth_date: '1970-01-02', confirm: true };
  await world.request('/v1/patients', { token: staff.token, body });
  return { world, clinic, done, off };
};

/** What an archive and the clinic's own database have together: the ids of each, and how many events. */
export const readContents = async ({ db, deps }: World) => {
  const archive = deps.archive?.db ?? db;
  const idsIn = async (from: typeof db) =>
    (await from.select({ id: bookings.id }).from(bookings).orderBy(asc(bookings.id))).map(({ id }) => id);
  const eventsIn = async (from: typeof db) =>
    (await from.select({ sequence: bookingEvents.sequence }).from(bookingEvents)).map(
      ({ sequence }) => sequence,
    );
  return {
    own: await idsIn(db),
    archived: await idsIn(archive),
    events: [...(await eventsIn(db)), ...(await eventsIn(archive))],
  };
};
