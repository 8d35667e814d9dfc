// Pure: the national holidays of Indonesia (Keppres 8/2024) in a year, each by the rule of its day and under the name
// that the government gives it, and the days of joint leave around them.

import { dayMs, hourMs } from '../../../core/clinic/durations.ts';
import { type Decree, decrees } from './decree-rules.ts';
import { firstFrom, fullMoon, isCrescentSeen, newMoon } from './moon-rules.ts';

export const firstYear = 2024;
export const lastYear = 2075;

export interface Holiday {
  date: string;
  name: string;
  kind: 'public_holiday' | 'joint_leave';
  /** Follows from the moon or from habit, and no decree names it yet. */
  tentative: boolean;
}

interface Feast {
  day: number;
  name: string;
  byMoon: boolean;
  /** Which days of joint leave it usually has. */
  leave?: 'many' | 'beside' | 'eve';
}

const dateOf = (day: number): string => new Date(day).toISOString().slice(0, 10);
/** The local date of an instant, as midnight UTC of it. */
const dayIn = (at: number, hoursAhead: number): number =>
  Math.floor((at + hoursAhead * hourMs) / dayMs) * dayMs;

/** Easter Sunday of the western churches: the anonymous algorithm of 1876. */
const computeEaster = (year: number): number => {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const ofCentury = year % 100;
  const sunless = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - sunless + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const since = epact + weekday - 7 * late + 114;
  return Date.UTC(year, Math.floor(since / 31) - 1, (since % 31) + 1);
};

/** The first day of a month of the moon, by the evening on which its crescent is seen in Indonesia. */
const computeMonthStart = (n: number): number => {
  let evening = dayIn(newMoon(n), 7);
  while (!isCrescentSeen(evening)) evening += dayMs;
  return evening + dayMs;
};

/** How often a day of the Islamic calendar comes in a year: once, twice or not at all. */
const ofHijri = (
  year: number,
  month: number,
  day: number,
  feast: (hijri: number) => Omit<Feast, 'day' | 'byMoon'>,
): Feast[] => {
  const about = Math.floor((year - 622) * 1.0307);
  return [-1, 0, 1, 2].flatMap((off) => {
    const hijri = about + off;
    // The months are counted from Syawal 1420, the tenth.
    const at = computeMonthStart((hijri - 1420) * 12 + month - 10) + (day - 1) * dayMs;
    return new Date(at).getUTCFullYear() === year ? [{ day: at, byMoon: true, ...feast(hijri) }] : [];
  });
};

/** The new moon from 21 January on, in the zone of Beijing. */
const computeImlek = (year: number): number =>
  dayIn(newMoon(firstFrom(Date.UTC(year, 0, 20, 16), newMoon)), 8);

/** The full moon of Waisak: the first from 6 May on. */
const computeWaisak = (year: number): number => dayIn(fullMoon(firstFrom(Date.UTC(year, 4, 6), fullMoon)), 7);

/**
 * The day after the dark moon of the ninth Balinese month. That calendar is arithmetic (pengalantaka Eka Sungsang ke
 * Pahing): every 63 days have 64 days of the moon. Counted from Nyepi of 2015, it gives those of 2005 to 2026 as they
 * were.
 */
const computeNyepi = (year: number): number => {
  const known = Date.UTC(2015, 2, 21);
  const from = Date.UTC(year, 2, 2);
  const month = (63 / 64) * 30;
  const of = (k: number) => known + Math.floor(1 / 16 + month * k) * dayMs;
  const k = Math.floor((from - known) / dayMs / month);
  return [k, k + 1].map(of).find((day) => day >= from) ?? of(k + 2);
};

const listFeasts = (year: number): Feast[] => {
  const easter = computeEaster(year);
  const isra = ofHijri(year, 7, 27, () => ({ name: 'Isra Mikraj Nabi Muhammad SAW' }));
  const fitri = ofHijri(year, 10, 1, (hijri) => ({ name: `Idul Fitri ${hijri} Hijriah`, leave: 'many' }));
  const secondOfFitri = ofHijri(year, 10, 2, (hijri) => ({ name: `Idul Fitri ${hijri} Hijriah` }));
  const adha = ofHijri(year, 12, 10, (hijri) => ({ name: `Idul Adha ${hijri} Hijriah`, leave: 'beside' }));
  const muharam = ofHijri(year, 1, 1, (hijri) => ({
    name: `1 Muharam Tahun Baru Islam ${hijri} Hijriah`,
  }));
  const maulid = ofHijri(year, 3, 12, () => ({ name: 'Maulid Nabi Muhammad SAW' }));
  const fixed = (month: number, day: number, name: string, leave?: Feast['leave']): Feast => ({
    day: Date.UTC(year, month - 1, day),
    name,
    byMoon: false,
    ...(leave !== undefined && { leave }),
  });
  const beside = { byMoon: true, leave: 'beside' } as const;
  return [
    fixed(1, 1, `Tahun Baru ${year} Masehi`),
    ...isra,
    { day: computeImlek(year), name: `Tahun Baru Imlek ${year + 551} Kongzili`, ...beside },
    { day: computeNyepi(year), name: `Hari Suci Nyepi (Tahun Baru Saka ${year - 78})`, ...beside },
    ...fitri,
    ...secondOfFitri,
    { day: easter - 2 * dayMs, name: 'Wafat Yesus Kristus', byMoon: false },
    { day: easter, name: 'Kebangkitan Yesus Kristus (Paskah)', byMoon: false },
    fixed(5, 1, 'Hari Buruh Internasional'),
    { day: easter + 39 * dayMs, name: 'Kenaikan Yesus Kristus', byMoon: false, leave: 'beside' },
    ...adha,
    { day: computeWaisak(year), name: `Hari Raya Waisak ${year + 544} BE`, ...beside },
    fixed(6, 1, 'Hari Lahir Pancasila'),
    ...muharam,
    fixed(8, 17, 'Proklamasi Kemerdekaan'),
    ...maulid,
    fixed(12, 25, 'Kelahiran Yesus Kristus (Natal)', 'eve'),
  ];
};

const movedBy = (feast: Feast, decree: Decree | undefined): Feast => {
  const to = decree?.moved?.[dateOf(feast.day)];
  return to === undefined || !feast.byMoon ? feast : { ...feast, day: Date.parse(to) };
};

const isWeekday = (day: number): boolean => ![0, 6].includes(new Date(day).getUTCDay());

/** The days of joint leave that such a feast usually has, on working days that are not holidays. */
const usualLeave = ({ day, leave }: Feast, isHoliday: (day: number) => boolean): number[] => {
  const isFree = (at: number) => isWeekday(at) && !isHoliday(at);
  const run = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, n) => day + (from + n) * dayMs).filter(isFree);
  if (leave === 'many') return run(-2, 7);
  if (leave === 'eve') return run(-1, 1);
  // The last working day before it and the first one after.
  if (leave === 'beside') return [...run(-3, -1).slice(-1), ...run(1, 3).slice(0, 1)];
  return [];
};

const leaveName = (name: string): string => `Cuti bersama ${name}`;

/** The days of joint leave of a year, with the names of the feasts that they belong to. */
const listJointLeave = (
  feasts: readonly Feast[],
  decree: Decree | undefined,
): [day: number, name: string][] => {
  if (decree !== undefined)
    return Object.entries(decree.leave).map(([date, of]) => [
      Date.parse(date),
      leaveName(feasts.find(({ day }) => dateOf(day) === of)?.name ?? ''),
    ]);
  const days = new Set(feasts.map(({ day }) => day));
  const isHoliday = (day: number) => days.has(day);
  return feasts.flatMap((feast) =>
    usualLeave(feast, isHoliday).map((day): [number, string] => [day, leaveName(feast.name)]),
  );
};

/**
 * The national holidays and the days of joint leave of a year, ordered, one for each date: two on the same day become
 * one with both names. Dates that follow the moon are tentative until the government has decreed that year.
 */
export const listHolidays = (year: number): Holiday[] => {
  const decree = decrees[year];
  const feasts = listFeasts(year).map((feast) => movedBy(feast, decree));
  const found = new Map<number, Holiday>();
  for (const { day, name, byMoon } of feasts) {
    const other = found.get(day);
    found.set(day, {
      date: dateOf(day),
      name: other === undefined ? name : `${other.name} dan ${name}`,
      kind: 'public_holiday',
      tentative: (byMoon && decree === undefined) || other?.tentative === true,
    });
  }
  for (const [day, name] of listJointLeave(feasts, decree))
    if (!found.has(day) && new Date(day).getUTCFullYear() === year)
      found.set(day, { date: dateOf(day), name, kind: 'joint_leave', tentative: decree === undefined });
  return [...found.values()].sort((a, b) => (a.date < b.date ? -1 : 1));
};
