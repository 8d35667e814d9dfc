import { describe, expect, it } from 'vitest';
import { decrees } from '../../src/modules/catalog/holidays/decree-rules.ts';
import { firstYear, lastYear, listHolidays } from '../../src/modules/catalog/holidays/rules.ts';

/** The holidays of the joint decrees of three ministers (SKB). */
const decreed: Readonly<Record<number, readonly string[]>> = {
  2024: [
    '2024-01-01 Tahun Baru 2024 Masehi',
    '2024-02-08 Isra Mikraj Nabi Muhammad SAW',
    '2024-02-10 Tahun Baru Imlek 2575 Kongzili',
    '2024-03-11 Hari Suci Nyepi (Tahun Baru Saka 1946)',
    '2024-03-29 Wafat Yesus Kristus',
    '2024-03-31 Kebangkitan Yesus Kristus (Paskah)',
    '2024-04-10 Idul Fitri 1445 Hijriah',
    '2024-04-11 Idul Fitri 1445 Hijriah',
    '2024-05-01 Hari Buruh Internasional',
    '2024-05-09 Kenaikan Yesus Kristus',
    '2024-05-23 Hari Raya Waisak 2568 BE',
    '2024-06-01 Hari Lahir Pancasila',
    '2024-06-17 Idul Adha 1445 Hijriah',
    '2024-07-07 1 Muharam Tahun Baru Islam 1446 Hijriah',
    '2024-08-17 Proklamasi Kemerdekaan',
    '2024-09-16 Maulid Nabi Muhammad SAW',
    '2024-12-25 Kelahiran Yesus Kristus (Natal)',
  ],
  2025: [
    '2025-01-01 Tahun Baru 2025 Masehi',
    '2025-01-27 Isra Mikraj Nabi Muhammad SAW',
    '2025-01-29 Tahun Baru Imlek 2576 Kongzili',
    '2025-03-29 Hari Suci Nyepi (Tahun Baru Saka 1947)',
    '2025-03-31 Idul Fitri 1446 Hijriah',
    '2025-04-01 Idul Fitri 1446 Hijriah',
    '2025-04-18 Wafat Yesus Kristus',
    '2025-04-20 Kebangkitan Yesus Kristus (Paskah)',
    '2025-05-01 Hari Buruh Internasional',
    '2025-05-12 Hari Raya Waisak 2569 BE',
    '2025-05-29 Kenaikan Yesus Kristus',
    '2025-06-01 Hari Lahir Pancasila',
    '2025-06-06 Idul Adha 1446 Hijriah',
    '2025-06-27 1 Muharam Tahun Baru Islam 1447 Hijriah',
    '2025-08-17 Proklamasi Kemerdekaan',
    '2025-09-05 Maulid Nabi Muhammad SAW',
    '2025-12-25 Kelahiran Yesus Kristus (Natal)',
  ],
  2026: [
    '2026-01-01 Tahun Baru 2026 Masehi',
    '2026-01-16 Isra Mikraj Nabi Muhammad SAW',
    '2026-02-17 Tahun Baru Imlek 2577 Kongzili',
    '2026-03-19 Hari Suci Nyepi (Tahun Baru Saka 1948)',
    '2026-03-21 Idul Fitri 1447 Hijriah',
    '2026-03-22 Idul Fitri 1447 Hijriah',
    '2026-04-03 Wafat Yesus Kristus',
    '2026-04-05 Kebangkitan Yesus Kristus (Paskah)',
    '2026-05-01 Hari Buruh Internasional',
    '2026-05-14 Kenaikan Yesus Kristus',
    '2026-05-27 Idul Adha 1447 Hijriah',
    '2026-05-31 Hari Raya Waisak 2570 BE',
    '2026-06-01 Hari Lahir Pancasila',
    '2026-06-16 1 Muharam Tahun Baru Islam 1448 Hijriah',
    '2026-08-17 Proklamasi Kemerdekaan',
    '2026-08-25 Maulid Nabi Muhammad SAW',
    '2026-12-25 Kelahiran Yesus Kristus (Natal)',
  ],
};

/** Days of joint leave, by the words that name their feast. */
const jointLeave: Readonly<Record<number, readonly [words: string, ...days: string[]][]>> = {
  2024: [
    ['Imlek', '02-09'],
    ['Nyepi', '03-12'],
    ['Idul Fitri 1445', '04-08', '04-09', '04-12', '04-15'],
    ['Kenaikan', '05-10'],
    ['Waisak', '05-24'],
    ['Idul Adha 1445', '06-18'],
    ['Natal', '12-26'],
  ],
  2025: [
    ['Imlek', '01-28'],
    ['Nyepi', '03-28'],
    ['Idul Fitri 1446', '04-02', '04-03', '04-04', '04-07'],
    ['Waisak', '05-13'],
    ['Kenaikan', '05-30'],
    ['Idul Adha 1446', '06-09'],
    ['Kemerdekaan', '08-18'],
    ['Natal', '12-26'],
  ],
  2026: [
    ['Imlek', '02-16'],
    ['Nyepi', '03-18'],
    ['Idul Fitri 1447', '03-20', '03-23', '03-24'],
    ['Kenaikan', '05-15'],
    ['Idul Adha 1447', '05-28'],
    ['Natal', '12-24'],
  ],
};

const publicOf = (year: number) => listHolidays(year).filter(({ kind }) => kind === 'public_holiday');
const leaveOf = (year: number) => listHolidays(year).filter(({ kind }) => kind === 'joint_leave');
const datesOf = (year: number, words: string) =>
  publicOf(year).flatMap(({ date, name }) => (name.includes(words) ? [date] : []));

describe.each([2024, 2025, 2026])('the holidays of %i', (year) => {
  it('are those of the decree, by date and by name, and certain', () => {
    expect(publicOf(year).map(({ date, name }) => `${date} ${name}`)).toEqual(decreed[year]);
    expect(listHolidays(year).filter(({ tentative }) => tentative)).toEqual([]);
  });

  it('have the joint leave of the decree beside them, each day named after its feast', () => {
    const wanted = jointLeave[year]?.flatMap(([words, ...days]) =>
      days.map((day) => ({
        date: `${year}-${day}`,
        name: expect.stringMatching(`^Cuti bersama .*${words}`),
      })),
    );
    expect(leaveOf(year)).toMatchObject(wanted ?? []);
    expect(leaveOf(year)).toHaveLength(wanted?.length ?? 0);
  });
});

describe('by the rules only', () => {
  it('2027 has two Isra Mikraj, each under its own name, and Maulid once', () => {
    expect(datesOf(2027, 'Isra Mikraj')).toEqual(['2027-01-05', '2027-12-26']);
    expect(datesOf(2027, 'Maulid')).toEqual(['2027-08-15']);
    expect(publicOf(2027).map(({ date, tentative }) => `${date.slice(5)}${tentative ? '?' : ''}`)).toEqual([
      ...['01-01', '01-05?', '02-06?', '03-08?', '03-10?', '03-11?', '03-26', '03-28', '05-01', '05-06'],
      ...['05-17?', '05-20?', '06-01', '06-06?', '08-15?', '08-17', '12-25', '12-26?'],
    ]);
    expect(publicOf(2027).find(({ date }) => date === '2027-03-10')?.name).toBe('Idul Fitri 1448 Hijriah');
  });

  it('Easter, its Friday and Ascension are where the church has them', () => {
    const easter = { 2027: '03-28', 2028: '04-16', 2029: '04-01', 2030: '04-21', 2038: '04-25' };
    for (const [year, day] of Object.entries(easter))
      expect(datesOf(Number(year), 'Paskah')).toEqual([`${year}-${day}`]);
    expect(datesOf(2030, 'Wafat')).toEqual(['2030-04-19']);
    expect(datesOf(2030, 'Kenaikan')).toEqual(['2030-05-30']);
  });

  it('the new years of the Chinese and the Balinese calendar are those of the almanacs', () => {
    const imlek = ['2027-02-06', '2028-01-26', '2029-02-13', '2030-02-03', '2031-01-23', '2033-01-31'];
    for (const date of [...imlek, '2034-02-19', '2036-01-28'])
      expect(datesOf(Number(date.slice(0, 4)), 'Imlek')).toEqual([date]);
    const nyepi = ['2027-03-08', '2028-03-26', '2029-03-15', '2030-03-05', '2031-03-24', '2032-03-12'];
    for (const date of nyepi) expect(datesOf(Number(date.slice(0, 4)), 'Nyepi')).toEqual([date]);
  });

  it('every year has all feasts, Islamic ones once or twice, on dates of its own, with names that a closure may have', () => {
    for (let year = firstYear; year <= lastYear; year++) {
      const all = listHolidays(year);
      expect(new Set(all.map(({ date }) => date)).size).toBe(all.length);
      expect(all.map(({ date }) => date)).toEqual(all.map(({ date }) => date).sort());
      for (const { date, name } of all) {
        expect(date.slice(0, 4)).toBe(String(year));
        expect(name.length).toBeLessThanOrEqual(100);
      }
      for (const words of ['Masehi', 'Imlek', 'Nyepi', 'Waisak', 'Paskah', 'Natal', 'Pancasila'])
        expect([year, words, datesOf(year, words).length]).toEqual([year, words, 1]);
      for (const words of ['Idul Adha', 'Muharam', 'Maulid', 'Isra'])
        expect([1, 2]).toContain(datesOf(year, words).length);
      expect([2, 3, 4]).toContain(datesOf(year, 'Idul Fitri').length);
    }
  });

  it('joint leave is a guess on working days, and none is a holiday', () => {
    const leave = leaveOf(2027);
    expect(leave.length).toBeGreaterThan(5);
    expect(leave.every(({ tentative }) => tentative)).toBe(true);
    for (const { date } of leave) expect([1, 2, 3, 4, 5]).toContain(new Date(date).getUTCDay());
    expect(leave).toContainEqual({
      date: '2027-12-24',
      name: 'Cuti bersama Kelahiran Yesus Kristus (Natal)',
      kind: 'joint_leave',
      tentative: true,
    });
    expect(Object.keys(decrees)).not.toContain('2027');
  });

  it('two holidays of one day have both names', () => {
    const doubled = Array.from({ length: lastYear - firstYear + 1 }, (_, n) => publicOf(firstYear + n))
      .flat()
      .filter(({ name }) => name.includes(' dan '));
    expect(doubled.length).toBeGreaterThan(0);
    for (const { name } of doubled) expect(name).toMatch(/^.+ dan [A-Z0-9].+$/);
  });
});
