import { describe, expect, it } from 'vitest';
import { buildModel, findTarget, isArrow, nextStop } from '../../../web/console/calendar/model.ts';

const [sari, budi] = ['dokter-sari', 'dokter-budi'];
const monday = '2026-11-23';
const at = (doctor: string, time: string, more: object = {}) => ({
  doctor_id: doctor,
  doctor_name: doctor,
  session_id: 'umum',
  schedule_date: monday,
  schedule_time: time,
  remaining: 1,
  ...more,
});
const booked = (id: string, doctor: string, time: string) => ({ ...at(doctor, time), id });

describe('the calendar', () => {
  const given = {
    slots: [at(sari, '09:00:00'), at(budi, '08:00:00', { remaining: 0, reason: 'full' })],
    bookings: [booked('1', budi, '08:00:00'), booked('2', sari, '10:00:00')],
    held: [],
  };

  it('has a column for each doctor of a day, and a row for each start of any of them', () => {
    const { columns, times, cellAt } = buildModel([monday], given, null);
    expect(columns.map(({ doctor }) => doctor)).toEqual([budi, sari]);
    expect(times).toEqual(['08:00:00', '09:00:00', '10:00:00']);
    expect(cellAt({ doctor: budi, name: '', date: monday }, '08:00:00')).toMatchObject({
      slots: [{ reason: 'full' }],
      bookings: [{ id: '1' }],
    });
    // A booking outside of the hours has a place, too.
    expect(cellAt({ doctor: sari, name: '', date: monday }, '10:00:00')?.bookings).toHaveLength(1);
    expect(cellAt({ doctor: sari, name: '', date: monday }, '08:00:00')).toBeUndefined();
  });

  it('has a column for each date of one doctor, and nothing of others', () => {
    const { columns, times } = buildModel([monday, '2026-11-24'], given, sari);
    expect(columns.map(({ doctor, date }) => [doctor, date])).toEqual([
      [sari, monday],
      [sari, '2026-11-24'],
    ]);
    expect(times).toEqual(['09:00:00', '10:00:00']);
  });

  it('takes a booking into a free slot of its session alone, and says why not', () => {
    const free = at(sari, '09:00:00');
    expect(findTarget([free], 'umum')).toEqual({ slot: free });
    expect(findTarget([{ ...free, reason: 'leave' }], 'umum')).toEqual({ why: 'leave' });
    expect(findTarget([free], 'gigi')).toEqual({ why: 'other_session' });
    expect(findTarget([], 'umum')).toEqual({ why: 'none' });
    expect(findTarget(undefined, 'umum')).toEqual({ why: 'none' });
  });
});

describe('the arrow keys', () => {
  const stop = (id: string, column: number, row: number) => ({ id, column, row });
  const stops = [stop('a', 0, 0), stop('b', 0, 0), stop('c', 0, 2), stop('d', 2, 3), stop('e', 2, 1)];
  const from = (id: string) => stops.find((one) => one.id === id) ?? stop('', 0, 0);
  const go = (id: string, ...keys: Parameters<typeof nextStop>[2][]) =>
    keys.reduce((now, key) => nextStop(stops, now, key), from(id)).id;

  it('reach each booking of a cell, then the next cell, and stay at the ends', () => {
    expect(go('a', 'ArrowDown')).toBe('b');
    expect(go('a', 'ArrowDown', 'ArrowDown', 'ArrowDown')).toBe('c');
    expect(go('a', 'ArrowUp')).toBe('a');
    expect([go('b', 'Home'), go('b', 'End')]).toEqual(['a', 'c']);
  });

  it('go to the nearest row of the next column that has any', () => {
    expect([go('a', 'ArrowRight'), go('c', 'ArrowRight')]).toEqual(['e', 'd']);
    expect([go('d', 'ArrowLeft'), go('d', 'ArrowRight')]).toEqual(['c', 'd']);
  });

  it('are no other keys', () => {
    expect(['ArrowUp', 'Home', 'Tab', 'PageDown'].map(isArrow)).toEqual([true, true, false, false]);
  });
});
