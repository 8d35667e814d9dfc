import { describe, expect, it } from 'vitest';
import { createClinicTime } from '../../src/core/clinic/time.ts';
import { unlimited } from '../../src/modules/catalog/slots/limit-rules.ts';
import {
  type Closure,
  closedBecause,
  findSlot,
  type Schedule,
  slotsOfDay,
} from '../../src/modules/catalog/slots/rules.ts';

const clock = createClinicTime('Asia/Jakarta');
const minute = 60_000;
const monday = '2026-11-23';

const weekly: Schedule = {
  sessionId: 's',
  approval: 'manual' as const,
  ...unlimited,
  sessionName: 'Konsultasi',
  weekday: 1,
  startTime: '08:00:00',
  endTime: '16:00:00',
  slotMinutes: 30,
  capacity: 1,
  room: '',
  validFrom: null,
  validUntil: null,
};

const slotAt = (time: string, date = monday, schedule = weekly) => {
  const slot = findSlot([schedule], { sessionId: 's', date, time }, clock);
  if (slot === null) throw new Error(`No slot at ${time}`);
  return slot;
};
const calendarOf = (closures: readonly Closure[] = []) => ({ schedules: [weekly], closures, occupied: [] });
const timesOf = (schedule: Schedule, date = monday) =>
  slotsOfDay([schedule], date, clock).map(({ minuteOfDay }) => minuteOfDay / 60);

const closure = (fields: Partial<Closure>): Closure => ({
  doctorId: null,
  startDate: monday,
  endDate: monday,
  startTime: null,
  endTime: null,
  ...fields,
});

describe('a slot', () => {
  const slot = slotAt('09:00:00');
  const window = { minNoticeMinutes: 45, maxAdvanceDays: 7 };
  const reason = (now: number, wide = true) =>
    closedBecause(slot, calendarOf(), now, wide ? null : window, clock);

  it('is open to staff until the instant of its end, and to patients until its start', () => {
    expect([reason(slot.endsAt - 1), reason(slot.endsAt)]).toEqual([null, 'past']);
    expect([reason(slot.startsAt - 1, false), reason(slot.startsAt, false)]).toEqual(['too_soon', 'past']);
  });

  it('is open to patients until the minimum notice, to the millisecond', () => {
    const last = slot.startsAt - 45 * minute;
    expect([reason(last, false), reason(last + 1, false)]).toEqual([null, 'too_soon']);
  });

  it('opens to patients on the date that is the maximum advance before it', () => {
    const opens = clock.startOf('2026-11-16');
    expect([reason(opens - 1, false), reason(opens, false)]).toEqual(['too_far', null]);
  });

  it('is on the grid by the second', () => {
    const slotInput = { sessionId: 's', date: monday, time: '09:00:30' };
    expect(findSlot([weekly], slotInput, clock)).toBeNull();
  });
});

describe('a schedule', () => {
  it('lays out no slot that would end after it, and none can be booked there', () => {
    const short = { ...weekly, endTime: '09:50:00' };
    expect(timesOf(short)).toEqual([8, 8.5, 9]);
    const slotInput = { sessionId: 's', date: monday, time: '09:30:00' };
    expect(findSlot([short], slotInput, clock)).toBeNull();
  });

  it('holds on its first and its last date, and on neither side of them', () => {
    const once = { ...weekly, validFrom: monday, validUntil: monday };
    const dates = ['2026-11-16', monday, '2026-11-30'];
    expect(dates.map((date) => timesOf(once, date).length)).toEqual([0, 16, 0]);
    const slotInput = { sessionId: 's', time: '09:00:00' };
    expect(dates.map((date) => findSlot([once], { ...slotInput, date }, clock) !== null)).toEqual([
      false,
      true,
      false,
    ]);
  });
});

describe('a closure', () => {
  const reasons = (...closures: Closure[]) =>
    ['08:30:00', '09:00:00', '09:30:00', '10:00:00'].map((time) =>
      closedBecause(slotAt(time), calendarOf(closures), 0, null, clock),
    );

  it('by hours closes the slots that it touches inside, not those that meet its ends', () => {
    const hours = closure({ startTime: '09:00:00', endTime: '10:00:00' });
    expect(reasons(hours)).toEqual([null, 'holiday', 'holiday', null]);
  });

  it('reaches from its first to its last date', () => {
    const leave = closure({ doctorId: 'd', startDate: '2026-11-23', endDate: '2026-11-30' });
    const closed = ['2026-11-16', '2026-11-23', '2026-11-30', '2026-12-07'].map((date) =>
      closedBecause(slotAt('09:00:00', date), calendarOf([leave]), 0, null, clock),
    );
    expect(closed).toEqual([null, 'leave', 'leave', null]);
  });

  it('that is leave is reported rather than a holiday on the same day', () => {
    expect(new Set(reasons(closure({}), closure({ doctorId: 'd' })))).toEqual(new Set(['leave']));
  });
});
