import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, daysBetween, isDate } from '../../../web/shared/dates/days.ts';
import { addMonths, dayByKey, listWeeks, within } from '../../../web/shared/dates/month.ts';
import { readDate, writeDate } from '../../../web/shared/dates/readDate.ts';
import { readTime } from '../../../web/shared/dates/readTime.ts';

const latestYear = 2046;

/** Any day whose year has four digits. */
const anyDate = fc
  .integer({ min: 0, max: daysBetween('1000-01-01', '9999-12-31') })
  .map((days) => addDays('1000-01-01', days));

describe('a date that is typed', () => {
  it.each([
    '26/11/2026',
    '26-11-2026',
    '26.11.26',
    '26 11 2026',
    ' 26 / 11 / 2026 ',
    '26112026',
    '261126',
    '26 Nov 2026',
    '26 nov. 26',
    '26 Nop 2026',
    '26 November 2026',
    '26-NOV-2026',
    'Kamis, 26 November 2026',
    'Thursday, 26 November 2026',
    'November 26, 2026',
    '2026-11-26',
    '2026/11/26',
  ])('%s is 26 November 2026', (text) => {
    expect(readDate(text, latestYear)).toEqual({ date: '2026-11-26' });
  });

  it.each([
    ['5 Mei 1990', '1990-05-05'],
    ['5 May 1990', '1990-05-05'],
    ['17 Agt 1945', '1945-08-17'],
    ['17 Ags 1945', '1945-08-17'],
    ['Jum’at, 1 Okt 2027', '2027-10-01'],
    ['3 Des 2026', '2026-12-03'],
    ['3 Pebruari 2026', '2026-02-03'],
  ])('%s is %s: months by their names in either language', (text, date) => {
    expect(readDate(text, latestYear)).toEqual({ date });
  });

  it.each([
    '31/02/2026',
    '29/02/2027',
    '0/5/2026',
    '32/1/2026',
    '5/13/2026',
    '11/26/2026',
    '31 Juni 2026',
    '2026-02-30',
  ])('%s is not in the calendar', (text) => {
    expect(readDate(text, latestYear)).toEqual({ wrong: 'day' });
  });

  it.each([
    '',
    'besok',
    '26',
    '26/11',
    '26/11/202',
    '26/11/20267',
    '26/11/0026',
    '126/11/2026',
    '26 No 2026',
    '26/11/2026 09.00',
    '2611202',
  ])('"%s" cannot be read', (text) => {
    expect(readDate(text, latestYear)).toEqual({ wrong: 'form' });
  });

  it('has the latest year with these two digits that is not after the one given', () => {
    expect(readDate('1/1/46', 2046)).toEqual({ date: '2046-01-01' });
    expect(readDate('1/1/47', 2046)).toEqual({ date: '1947-01-01' });
    expect(readDate('1/1/26', 2026)).toEqual({ date: '2026-01-01' });
    expect(readDate('1/1/27', 2026)).toEqual({ date: '1927-01-01' });
    expect(readDate('1/1/00', 2026)).toEqual({ date: '2000-01-01' });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 1900, max: 2200 }), (two, latest) => {
        const read = readDate(`1/1/${String(two).padStart(2, '0')}`, latest);
        const year = 'date' in read ? Number(read.date.slice(0, 4)) : Number.NaN;
        expect(year % 100).toBe(two);
        expect(year).toBeGreaterThan(latest - 100);
        expect(year).toBeLessThanOrEqual(latest);
      }),
    );
  });

  it('has no year of two digits while somebody is still typing', () => {
    for (const text of ['26/11/20', '26.11.26', '261126', '26 Nov 26'])
      expect(readDate(text, null)).toEqual({ wrong: 'form' });
    expect(readDate('26/11/2026', null)).toEqual({ date: '2026-11-26' });
    expect(readDate('2026-11-26', null)).toEqual({ date: '2026-11-26' });
  });

  it('is read as what it was written from', () => {
    fc.assert(
      fc.property(anyDate, fc.constantFrom('/', '-', '.', ' '), (date, between) => {
        const written = writeDate(date);
        expect(written).toMatch(/^\d\d\/\d\d\/\d{4}$/);
        const [day = '', month = '', year = ''] = written.split('/');
        const plain = `${Number(day)}${between}${Number(month)}${between}${year}`;
        for (const text of [written, date, `${day}${month}${year}`, plain])
          expect(readDate(text, null)).toEqual({ date });
      }),
    );
  });

  it('is read as what Intl writes of it, in both languages', () => {
    const forms = ['id-ID', 'en-GB'].flatMap((tag) =>
      (['long', 'short'] as const).map(
        (month) =>
          new Intl.DateTimeFormat(tag, {
            weekday: 'long',
            day: 'numeric',
            month,
            year: 'numeric',
            timeZone: 'UTC',
          }),
      ),
    );
    fc.assert(
      fc.property(anyDate, (date) => {
        for (const form of forms)
          expect(readDate(form.format(new Date(`${date}T00:00:00Z`)), null)).toEqual({ date });
      }),
    );
  });

  it('is a day of the calendar or refused, whatever was typed', () => {
    const pieces = fc.constantFrom(
      '/',
      '-',
      '.',
      ' ',
      '0',
      '1',
      '2',
      '3',
      '9',
      '26',
      '2026',
      'nov',
      'x',
      ',',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces).map((some) => some.join('')),
        ),
        (text) => {
          const read = readDate(text, latestYear);
          if ('date' in read) expect(isDate(read.date)).toBe(true);
          else expect(['form', 'day']).toContain(read.wrong);
        },
      ),
    );
  });

  it('is written as nothing where there is none', () => {
    expect(writeDate('')).toBe('');
    expect(writeDate('2026-11-26')).toBe('26/11/2026');
  });
});

describe('an hour that is typed', () => {
  it.each([
    ['8', '08:00'],
    ['08', '08:00'],
    ['830', '08:30'],
    ['0830', '08:30'],
    ['8.30', '08:30'],
    ['8:30', '08:30'],
    ['08,30', '08:30'],
    [' 08:30:00 ', '08:30'],
    ['0', '00:00'],
    ['2359', '23:59'],
  ])('%s is %s', (text, time) => {
    expect(readTime(text, true)).toBe(time);
  });

  it.each(['', '24', '24.00', '8.60', '8.3', '99', '12345', 'pagi', '-1', '8.30.15', '1261'])(
    '"%s" is none',
    (text) => {
      expect(readTime(text, true)).toBeNull();
    },
  );

  it('may go on while somebody is still typing', () => {
    for (const text of ['8', '08', '083', '830']) expect(readTime(text, false)).toBeNull();
    for (const text of ['0830', '8.30', '08:30']) expect(readTime(text, false)).toBe('08:30');
  });

  it('is read as what it was written from, in both languages', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }), (hour, minute) => {
        const [hh, mm] = [hour, minute].map((one) => String(one).padStart(2, '0'));
        for (const text of [`${hh}.${mm}`, `${hh}:${mm}`, `${hh}${mm}`, `${hour}.${mm}`])
          expect(readTime(text, true)).toBe(`${hh}:${mm}`);
      }),
    );
  });
});

describe('a month', () => {
  it('is all of its days, in weeks that begin on Monday', () => {
    fc.assert(
      fc.property(anyDate, (date) => {
        const weeks = listWeeks(date);
        expect(weeks.every((week) => week.length === 7)).toBe(true);
        const days = weeks.flat().filter((day) => day !== null);
        expect(days[0]).toBe(`${date.slice(0, 8)}01`);
        expect(days).toContain(date);
        expect(days.every((day, at) => at === 0 || day === addDays(days[at - 1] ?? '', 1))).toBe(true);
        expect(days.every((day) => day.startsWith(date.slice(0, 8)))).toBe(true);
        for (const week of weeks)
          for (const [at, day] of week.entries())
            if (day !== null) expect(new Date(`${day}T00:00:00Z`).getUTCDay()).toBe((at + 1) % 7);
        expect(weeks.some((week) => week.every((day) => day === null))).toBe(false);
      }),
    );
  });

  it('can be used by keyboard', () => {
    const from = (key: string, isShifted?: boolean) => dayByKey('2026-11-26', key, isShifted);
    expect(from('ArrowLeft')).toBe('2026-11-25');
    expect(from('ArrowRight')).toBe('2026-11-27');
    expect(from('ArrowUp')).toBe('2026-11-19');
    expect(from('ArrowDown')).toBe('2026-12-03');
    expect(from('Home')).toBe('2026-11-23');
    expect(from('End')).toBe('2026-11-29');
    expect(from('PageUp')).toBe('2026-10-26');
    expect(from('PageDown')).toBe('2026-12-26');
    expect(from('PageUp', true)).toBe('2025-11-26');
    expect(from('PageDown', true)).toBe('2027-11-26');
    expect(from('Enter')).toBeNull();
  });

  it('keeps the day, or takes the last one of a shorter month', () => {
    expect(addMonths('2026-01-31', 1)).toBe('2026-02-28');
    expect(addMonths('2028-02-29', 12)).toBe('2029-02-28');
    expect(addMonths('2026-01-15', -1)).toBe('2025-12-15');
  });

  it('is not left by its ends', () => {
    expect(within('2026-11-26', '2026-11-01', '2026-11-30')).toBe('2026-11-26');
    expect(within('2026-10-26', '2026-11-01', '2026-11-30')).toBe('2026-11-01');
    expect(within('2026-12-26', '2026-11-01', '2026-11-30')).toBe('2026-11-30');
    expect(within(addDays('9999-12-31', 1), '1000-01-01', '9999-12-31')).toBe('9999-12-31');
  });
});
