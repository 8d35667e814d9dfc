import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endOfQuiet, isQuiet, quietUntil } from '../../src/core/clinic/quiet-rules.ts';
import { createClinicTime } from '../../src/core/clinic/time.ts';
import { e164, pauseAfter, reminderWindows } from '../../src/modules/notices/rules.ts';
import { act, book, createTelling, hour, logOf, mailing, minute, tell, tellAt } from '../support/notices.ts';
import { mondayMorning } from '../support/world.ts';

const zones = ['Asia/Jakarta', 'Asia/Makassar', 'Asia/Jayapura', 'Europe/Berlin', 'America/New_York'];

/** The hour that the zone's clock shows, as the platform has it. */
const shownHour = (instant: number, timeZone: string) =>
  Number(new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format(instant));

const anyHour = fc.integer({ min: 0, max: 23 });
const anyInstant = fc.integer({
  min: Date.parse('2026-01-01T00:00:00Z'),
  max: Date.parse('2028-01-01T00:00:00Z'),
});

describe('the quiet hours', () => {
  it('are those that the wall clock of the clinic shows, on days on which it is changed too', () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), anyInstant, anyHour, anyHour, (zone, now, from, until) => {
        fc.pre(from !== until);
        const inside = Array.from({ length: (until - from + 24) % 24 }, (_, nth) => (from + nth) % 24);
        const isInside = (instant: number) => inside.includes(shownHour(instant, zone));
        expect(isQuiet(now, createClinicTime(zone), { from, until })).toBe(
          isInside(now) || isInside(now + minute),
        );
      }),
      { numRuns: 500 },
    );
    const time = createClinicTime('Europe/Berlin');
    // The night in which the clock goes back: 02:30 comes twice, and it is quiet both times.
    for (const text of ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'])
      expect(isQuiet(Date.parse(text), time, { from: 2, until: 3 })).toBe(true);
    expect(isQuiet(Date.parse('2026-10-25T02:30:00Z'), time, { from: 2, until: 3 })).toBe(false);
  });

  it('end at the next hour that the wall clock shows outside of them, also where it skips one', () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), anyInstant, anyHour, anyHour, (zone, now, from, until) => {
        fc.pre(from !== until);
        const [clock, quiet] = [createClinicTime(zone), { from, until }];
        const isInside = (instant: number) =>
          (shownHour(instant, zone) - from + 24) % 24 < (until - from + 24) % 24;
        const end = endOfQuiet(now, clock, quiet) ?? Number.NaN;
        expect([isInside(end), isInside(end - 1)]).toEqual([false, true]);
        // Nothing changed in between but from outside to inside.
        let [at, changes] = [now, 0];
        for (; at + 15 * minute < end; at += 15 * minute)
          if (isInside(at) !== isInside(at + 15 * minute)) changes += 1;
        expect(changes).toBe(isInside(now) ? 0 : 1);
        expect(quietUntil(now, clock, quiet)).toBe(isInside(now) ? end : null);
      }),
      { numRuns: 200 },
    );
    // The night in which the clock goes forward: after 01:59 comes 03:00.
    const clock = createClinicTime('Europe/Berlin');
    const jump = Date.parse('2027-03-28T01:00:00Z');
    expect(quietUntil(jump - hour, clock, { from: 22, until: 2 })).toBe(jump);
    expect(quietUntil(jump - hour, clock, { from: 2, until: 6 })).toBeNull();
    expect(quietUntil(jump, clock, { from: 2, until: 6 })).toBe(Date.parse('2027-03-28T04:00:00Z'));
  });

  it.each([
    ['Asia/Jakarta', '+07:00'],
    ['Asia/Makassar', '+08:00'],
    ['Asia/Jayapura', '+09:00'],
    ['Europe/Berlin', '+01:00'],
  ])('hold a notice back until the morning in %s', async (CLINIC_TIME_ZONE, offset) => {
    const at = (time: string) => Date.parse(`2026-11-23T${time}:00${offset}`);
    const telling = await createTelling({ ...mailing, CLINIC_TIME_ZONE }, at('20:00'));
    const { world } = telling;
    const id = await book(telling, { schedule_date: '2026-11-24', schedule_time: '15:00:00' });
    world.clock.now = at('20:59');
    await act(telling, id, 'approve');
    const sent: number[] = [];
    const morning = at('06:00') + 24 * hour;
    const looks = [
      at('20:59'),
      at('21:00'),
      at('23:59'),
      at('00:30') + 24 * hour,
      morning - minute - 1,
      morning,
    ];
    for (const now of looks) {
      await tellAt(world, now);
      for (const _ of world.mails.splice(0)) sent.push(now);
    }
    expect(sent).toEqual([morning]);
  });

  it('do not hold back an urgent change of a visit of today', async () => {
    const telling = await createTelling({ ...mailing, QUIET_HOURS: '6-23' });
    const { world } = telling;
    const approved = await book(telling);
    const canceled = await book(telling, { schedule_time: '13:00:00' });
    const movedAway = await book(telling, { schedule_time: '14:00:00' });
    const tomorrow = await book(telling, { schedule_date: '2026-11-24' });
    await act(telling, approved, 'approve');
    await act(telling, canceled, 'cancel');
    await act(telling, movedAway, 'reschedule', { schedule_date: '2026-11-26', schedule_time: '09:00:00' });
    await act(telling, tomorrow, 'cancel');
    await tell(world);
    expect((await logOf(world)).sort()).toEqual([
      'approved email pending',
      'canceled email pending',
      'canceled email sent',
      'moved email sent',
    ]);
  });

  it('do not hold back a change of a visit that begins before they end, or an hour after', async () => {
    const telling = await createTelling({ ...mailing, QUIET_HOURS: '21-8' }, mondayMorning + 2 * hour);
    const { world } = telling;
    const tomorrow = (schedule_time: string) => book(telling, { schedule_date: '2026-11-24', schedule_time });
    const [first, later, movedAway] = [
      await tomorrow('08:00:00'),
      await tomorrow('10:00:00'),
      await tomorrow('08:30:00'),
    ];
    world.clock.now = Date.parse('2026-11-23T21:30:00+07:00');
    await act(telling, first, 'cancel');
    await act(telling, later, 'cancel');
    await act(telling, movedAway, 'reschedule', {
      schedule_date: '2026-11-26',
      schedule_time: '09:00:00',
    });
    await tell(world);
    const sent = world.mails.map(({ subject, text }) => [
      subject,
      /\d\d[.:]\d\d/.exec(text)?.[0].replace('.', ':'),
    ]);
    expect(sent).toEqual([
      ['Janji temu dibatalkan oleh klinik', '08:00'],
      ['Janji temu dipindahkan oleh klinik', '09:00'],
    ]);
    await tellAt(world, Date.parse('2026-11-24T08:00:00+07:00'));
    expect(world.mails.length).toBe(3);
  });

  it('drop what has begun when they end', async () => {
    const telling = await createTelling({ ...mailing, QUIET_HOURS: '7-13' });
    const { world } = telling;
    await act(telling, await book(telling), 'approve');
    await tell(world);
    expect(await logOf(world)).toEqual(['approved email pending']);
    await tellAt(world, mondayMorning + 6 * hour);
    expect(await logOf(world)).toEqual(['approved email dropped begun']);
  });
});

describe('the rules of notices', () => {
  it('plan each instant of a visit once, however long the service was away', () => {
    const start = Date.parse('2026-11-25T05:00:00Z');
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 30 * 60 }), { minLength: 1, maxLength: 60 }),
        (pauses) => {
          let remindedAt = start - 30 * hour;
          const planned: string[] = [];
          for (const pause of pauses) {
            const now = remindedAt + pause * minute;
            for (const { kind, from, until } of reminderWindows(remindedAt, now, { early: 24, late: 2 }))
              if (start > from && start <= until) planned.push(kind);
            remindedAt = now;
          }
          expect(planned.length).toBe(new Set(planned).size);
          // Visits checked within the last two hours got the late reminder.
          const isSeen = (hours: number, before: number) => {
            let at = start - 30 * hour;
            return pauses.some((pause) => {
              const was = at;
              at += pause * minute;
              return was < start - hours * hour && at >= start - hours * hour && at < start - before * hour;
            });
          };
          expect(planned.includes('reminder_late')).toBe(isSeen(2, 0));
          expect(planned.includes('reminder_early')).toBe(isSeen(24, 2));
        },
      ),
    );
  });

  it('know a telephone number as E.164 has it', () => {
    expect(e164('62', '081234567890')).toBe('+6281234567890');
    expect(e164('62', '81234567890')).toBe('+6281234567890');
    expect(e164('62', '6281234567890')).toBe('+6281234567890');
    expect(e164('', '81234567890')).toBeNull();
    expect(e164('62', '0')).toBeNull();
    expect(e164('062', '81234567890')).toBeNull();
    expect(e164('999', '123456789012345')).toBeNull();
  });

  it('wait longer after each failure, and give up after the tenth', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((attempts) => pauseAfter(attempts))).toEqual([
      15_000,
      30_000,
      60_000,
      120_000,
      240_000,
      480_000,
      900_000,
      900_000,
      900_000,
      null,
    ]);
  });
});
