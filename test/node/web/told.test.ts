import { describe, expect, it } from 'vitest';
import {
  isUnread,
  parseRead,
  shorten,
  type Told,
  toTold,
  withTold,
  writeRead,
} from '../../../web/console/data/told-rules.ts';

const [monday, tuesday, friday] = ['2026-11-23', '2026-11-24', '2026-11-27'];
const near = [monday, tuesday] as string[];

type Change = Parameters<typeof toTold>[0];
const booking = (date: string, more: object = {}) => ({
  schedule_date: date,
  schedule_time: '10:30:00',
  doctor_name: 'dr. Budi Santoso',
  held_until: null,
  patient: { name: 'Siti' },
  ...more,
});
const change = (type: string, more: object = {}): Change =>
  ({
    sequence: 7,
    at: '2026-11-23T02:00:00Z',
    by: 'patient',
    booking_id: 'a',
    gone: false,
    type: `booking.${type}`,
    booking: booking(monday),
    previous: null,
    ...more,
  }) as unknown as Change;
const was = (date: string) => ({ schedule_date: date, schedule_time: '09:00:00' });
const line = (sequence: number, bookingId = 'a', kind: Told['kind'] = 'canceled') =>
  ({ sequence, bookingId, kind }) as Told;

describe('a line from a patient', () => {
  it.each([
    ['canceled', 'canceled'],
    ['answered', 'answered'],
  ])('is told of one that was %s', (type, kind) => {
    expect(toTold(change(type), near, null)).toMatchObject({
      kind,
      name: 'Siti',
      slot: { date: monday, time: '10:30:00', doctor: 'dr. Budi Santoso' },
      to: null,
    });
  });

  it('says of a move where it was and where it is, whichever of both is near', () => {
    const away = change('rescheduled', { booking: booking(friday), previous: was(tuesday) });
    expect(toTold(away, near, null)).toMatchObject({
      kind: 'moved',
      slot: { date: tuesday, time: '09:00:00' },
      to: { date: friday, time: '10:30:00' },
    });
    const here = change('rescheduled', { previous: was(friday) });
    expect(toTold(here, near, null)).toMatchObject({ slot: { date: friday }, to: { date: monday } });
    const far = change('rescheduled', { booking: booking(friday), previous: was(friday) });
    expect(toTold(far, near, null)).toBeNull();
  });

  it('tells a doctor of a visit that went to another one, by the name that the list had', () => {
    const gone = change('rescheduled', { booking: null, gone: true, previous: was(monday) });
    expect(toTold(gone, near, 'Siti')).toMatchObject({ name: 'Siti', slot: { time: '09:00:00' }, to: null });
    expect(toTold(gone, near, null)).toMatchObject({ name: null });
  });

  it('is none of what the clinic or the service did, of other changes, of other days, and of an offer', () => {
    for (const by of ['staff', 'doctor', 'admin', 'system', 'api_key'])
      expect(toTold(change('canceled', { by }), near, null)).toBeNull();
    for (const type of ['created', 'confirmed', 'updated', 'checked_in', 'accepted'])
      expect(toTold(change(type), near, null)).toBeNull();
    expect(toTold(change('canceled', { booking: booking(friday) }), near, null)).toBeNull();
    expect(toTold(change('canceled', { booking: null, gone: true }), near, null)).toBeNull();
    const offer = booking(monday, { held_until: '2026-11-23T03:00:00Z' });
    expect(toTold(change('canceled', { booking: offer }), near, null)).toBeNull();
  });

  it('is there once for a booking and a kind, the newest first, however often it is heard', () => {
    const lines = withTold([line(3), line(2, 'b')], [line(5), line(4, 'a', 'answered'), line(2, 'b')]);
    expect(lines.map(({ sequence }) => sequence)).toEqual([5, 4, 2]);
  });
});

describe('what was read', () => {
  it('is kept as positions, and read back; anything else is nothing', () => {
    expect(writeRead({ upTo: 4, after: [7, 9] })).toBe('4 7 9');
    expect(parseRead('4 7 9')).toEqual({ upTo: 4, after: [7, 9] });
    expect(parseRead('4')).toEqual({ upTo: 4, after: [] });
    for (const text of [null, 'x', '1 x', '1.5']) expect(parseRead(text)).toBeNull();
  });

  it('ends before the first line that was not read, and is all that was heard once there is none', () => {
    const read = { upTo: 4, after: [7, 9] };
    expect([5, 7, 8, 9, 4].filter((sequence) => isUnread(read, line(sequence)))).toEqual([5, 8]);
    expect(shorten(read, [line(8), line(5)], 20)).toEqual({ upTo: 4, after: [7, 9] });
    expect(shorten(read, [line(8)], 20)).toEqual({ upTo: 7, after: [9] });
    expect(shorten(read, [], 20)).toEqual({ upTo: 20, after: [] });
    expect(shorten({ upTo: 30, after: [] }, [], 20)).toEqual({ upTo: 30, after: [] });
  });
});
