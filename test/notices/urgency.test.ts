import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createClinicTime } from '../../src/core/clinic/time.ts';
import type { Mailer } from '../../src/core/mailer.ts';
import { bookings } from '../../src/core/tables/bookings.ts';
import { schedules } from '../../src/core/tables/catalog.ts';
import { notices } from '../../src/core/tables/mail.ts';
import { act, book, createTelling, hour, logOf, mailing, minute, tellAt } from '../support/notices.ts';
import { runtime } from '../support/world.ts';
import { runs } from '../support/zones.ts';

/** Booked a day before; the day after the clock of Berlin or New York is changed, where it is. */
const days: Readonly<Record<string, readonly [eve: string, today: string, tomorrow: string]>> = {
  'Asia/Jakarta': ['2026-11-22', '2026-11-23', '2026-11-24'],
  'Asia/Makassar': ['2026-11-22', '2026-11-23', '2026-11-24'],
  'Asia/Jayapura': ['2026-11-22', '2026-11-23', '2026-11-24'],
  'Europe/Berlin': ['2026-10-24', '2026-10-25', '2026-10-26'],
};

/** The local time, as the platform computes it. */
const shown = (instant: number, timeZone: string) => {
  const text = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  const [date = '', time = ''] = text.format(instant).split(' ');
  return { date, hour: Number(time.slice(0, 2)) };
};

const open = { startTime: '00:00:00', endTime: '24:00:00', slotMinutes: 60 };
const slotTime = fc.integer({ min: 1, max: 23 }).map((at) => `${String(at).padStart(2, '0')}:00:00`);
const anyHour = fc.integer({ min: 0, max: 23 });

/** A change to a visit, and how long nothing can be sent after it. */
const story = fc.record({
  isToday: fc.boolean(),
  from: slotTime,
  act: fc.constantFrom('cancel', 'approve', 'reschedule'),
  to: fc.record({ isToday: fc.boolean(), time: slotTime }),
  actedAt: fc.integer({ min: 0, max: 24 * 4 - 1 }),
  quiet: fc.tuple(anyHour, anyHour).filter(([from, until]) => from !== until),
  outage: fc.integer({ min: 0, max: 5 * 60 }),
});

describe('a change is notified in the quiet hours', () => {
  const at = (day: string, time: string) => Date.parse(`${day}T${time}:00+07:00`);
  const thursday = { schedule_date: '2026-11-26', schedule_time: '09:00:00' };

  it('never for the sake of a visit that was over this morning', async () => {
    const telling = await createTelling();
    const { world } = telling;
    const id = await book(telling, { schedule_time: '09:00:00' });
    await act(telling, id, 'approve');
    await tellAt(world, world.clock.now);
    world.mails.splice(0);
    world.clock.now = at('2026-11-23', '22:30');
    await act(telling, id, 'reschedule', thursday);
    await tellAt(world, world.clock.now);
    expect(world.mails).toEqual([]);
    await tellAt(world, at('2026-11-24', '06:00'));
    expect(world.mails).toHaveLength(1);
  });

  it('no more once it is urgent to nobody, though it was when it was planned', async () => {
    const telling = await createTelling({ ...mailing, QUIET_HOURS: '11-10' });
    const { world } = telling;
    const id = await book(telling);
    await act(telling, id, 'reschedule', thursday);
    const working = world.deps.mailer;
    world.deps.mailer = { reachesPeople: true, send: () => Promise.reject(new Error('down')) };
    await tellAt(world, at('2026-11-23', '11:58'));
    expect(await logOf(world)).toEqual(['moved email pending Error']);
    world.deps.mailer = working;
    // The visit would have begun by now: a notice at night would only wake the patient.
    await tellAt(world, at('2026-11-23', '12:00'));
    expect(await logOf(world)).toEqual(['moved email pending Error']);
    await tellAt(world, at('2026-11-24', '10:00'));
    expect(await logOf(world)).toEqual(['moved email sent']);
  });

  it('of a visit of early the next morning until that begins, and no longer', async () => {
    const telling = await createTelling({ ...mailing, QUIET_HOURS: '21-10' });
    const { world } = telling;
    const id = await book(telling, { schedule_date: '2026-11-24', schedule_time: '09:00:00' });
    await act(telling, id, 'approve');
    await tellAt(world, world.clock.now);
    const working = world.deps.mailer;
    world.deps.mailer = { reachesPeople: true, send: () => Promise.reject(new Error('down')) };
    world.clock.now = at('2026-11-23', '22:00');
    await act(telling, id, 'reschedule', thursday);
    await tellAt(world, world.clock.now);
    const [moved] = await world.db.select().from(notices).where(eq(notices.kind, 'moved'));
    expect(moved?.urgentUntil).toBe(at('2026-11-24', '09:00'));
    world.deps.mailer = working;
    world.mails.splice(0);
    await tellAt(world, at('2026-11-24', '09:00'));
    expect(world.mails).toEqual([]);
    await tellAt(world, at('2026-11-24', '09:00') - 1);
    expect(world.mails).toHaveLength(1);
  });

  it('of a delay until the doctor comes, and only to patients who come today', async () => {
    const telling = await createTelling({ ...mailing, QUIET_HOURS: '8-23' });
    const { world, staff, practice } = telling;
    const ids = [await book(telling), await book(telling, { schedule_date: '2026-11-24' })];
    for (const id of ids) await act(telling, id, 'approve');
    await tellAt(world, world.clock.now);
    world.mails.splice(0);
    for (const date of ['2026-11-23', '2026-11-24'])
      await world.request(`/v1/doctors/${practice.doctorId}/notice`, {
        method: 'PUT',
        token: staff.token,
        body: { date, delay_minutes: 45, message: '' },
      });
    await tellAt(world, at('2026-11-23', '12:30'));
    expect(world.mails).toHaveLength(1);
    const rows = await world.db.select().from(notices).where(eq(notices.kind, 'delayed'));
    expect(rows.map(({ urgentUntil }) => urgentUntil).sort()).toEqual([0, at('2026-11-23', '12:45')]);
  });

  it.each(Object.keys(days))(
    'as long as a visit of this day, or of the hour after them, that it is about is still to come, and never else, in %s',
    async (zone) => {
      const [eve = '', today = '', tomorrow = ''] = days[zone] ?? [];
      const clock = createClinicTime(zone);
      const noReminders = { REMINDER_EARLY_HOURS: '0', REMINDER_LATE_HOURS: '0', MIN_NOTICE_MINUTES: '0' };
      const settings = { ...mailing, ...noReminders, CLINIC_TIME_ZONE: zone };
      const begin = clock.instantOf(eve, 8 * 60) ?? 0;
      const telling = await createTelling(settings, begin);
      const { world } = telling;
      await world.db.update(schedules).set(open);
      world.deps.config = { ...world.deps.config };
      const working: Mailer = world.deps.mailer;
      const down: Mailer = { reachesPeople: true, send: () => Promise.reject(new Error('down')) };

      const dateOf = (isToday: boolean) => (isToday ? today : tomorrow);
      const startOf = (date: string, time: string) => clock.instantOf(date, Number(time.slice(0, 2)) * 60);

      await fc.assert(
        fc.asyncProperty(story, async ({ isToday, from, act: verb, to, actedAt, quiet, outage }) => {
          const start = startOf(dateOf(isToday), from);
          const target = startOf(dateOf(to.isToday), to.time);
          const now = clock.startOf(today) + actedAt * 15 * minute;
          fc.pre(start !== null && target !== null && clock.dateOf(now) === today);
          fc.pre(verb !== 'reschedule' || (target > now && target !== start));
          fc.pre(verb !== 'approve' || start > now);
          await world.db.delete(notices);
          await world.db.update(bookings).set({ status: 'canceled' });
          world.deps.rests.clear();
          world.deps.mailer = working;
          world.deps.config.QUIET_HOURS = null;
          world.clock.now = begin;
          const id = await book(telling, { schedule_date: dateOf(isToday), schedule_time: from });
          if (verb !== 'approve') await act(telling, id, 'approve');
          await tellAt(world, begin);
          world.mails.splice(0);

          world.deps.config.QUIET_HOURS = { from: quiet[0], until: quiet[1] };
          world.clock.now = now;
          const place = { schedule_date: dateOf(to.isToday), schedule_time: to.time };
          const acted = await act(telling, id, verb, verb === 'reschedule' ? place : {}).catch(String);
          fc.pre(acted === undefined);
          const starts = verb === 'reschedule' ? [start, target] : [start];
          const inside = Array.from(
            { length: (quiet[1] - quiet[0] + 24) % 24 },
            (_, at) => (quiet[0] + at) % 24,
          );
          const isInside = (instant: number) => inside.includes(shown(instant, zone).hour);
          const isQuiet = (instant: number) => isInside(instant) || isInside(instant + minute);
          let end = now + 15 * minute;
          while (isInside(end) || !isInside(end - 1)) end += 15 * minute;
          const isUrgent = (start: number) =>
            shown(start, zone).date === shown(now, zone).date || start <= end + hour;
          const mayGo = (instant: number) =>
            !isQuiet(instant) ||
            (verb !== 'approve' && starts.some((start) => start > instant && isUrgent(start)));

          const told: number[] = [];
          for (let at = now; at < now + 30 * hour; at += 15 * minute) {
            world.deps.mailer = at < now + outage * minute ? down : working;
            await tellAt(world, at);
            for (const _ of world.mails.splice(0)) told.push(at);
            if ((await logOf(world)).every((line) => !line.includes('pending'))) break;
          }
          for (const at of told) expect(mayGo(at), new Date(at).toISOString()).toBe(true);
          // Where nothing hindered, it went at once.
          const stillHolds = (verb === 'reschedule' ? target : start) > now;
          if (outage === 0 && stillHolds && mayGo(now)) expect(told).toEqual([now]);
        }),
        { numRuns: runs(runtime === 'node' ? 50 : 6) },
      );
    },
  );
});
