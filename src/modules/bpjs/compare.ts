import { runAll } from '../../core/db/db.ts';
import type { Deps } from '../../core/deps.ts';
import { findOurDoctors, findOurShifts } from './compare-queries.ts';
import { judgeAnswer } from './outbound/answers.ts';
import { askBpjs } from './outbound/client.ts';

/** A doctor's hours in a poli on a date, as HFIS or as Janji has them. */
interface Shift {
  date: string;
  poli: string;
  doctor: number;
  name: string;
  /** Such as 08:00-12:00. */
  hours: string;
  places: number;
}

/** What one side has and the other has not, or has otherwise. */
export interface Difference {
  what: 'poli' | 'doctor' | 'shift' | 'places';
  /** Where it is missing; null where both have it and differ. */
  missing: 'hfis' | 'janji' | null;
  code: string;
  name: string;
  date: string | null;
  hours: string | null;
  janji: number | null;
  hfis: number | null;
}

/** What HFIS said of one date. */
interface Hfis {
  polis: ReadonlyMap<string, string>;
  doctors: ReadonlyMap<number, string>;
  shifts: readonly Shift[];
}

const keyOf = ({ date, poli, doctor, hours }: Shift): string => [date, poli, doctor, hours].join(' ');

const shiftDifference = (shift: Shift, more: Pick<Difference, 'what' | 'missing' | 'janji' | 'hfis'>) => ({
  ...more,
  code: `${shift.poli} ${shift.doctor}`,
  name: shift.name,
  date: shift.date,
  hours: shift.hours,
});

/**
 * Compares what both sides have: polis, doctors, and the hours of each date. HFIS's list of polis is that of all
 * hospitals, so it has more than any of them. Pure.
 */
const compareWithHfis = (
  ours: readonly Shift[],
  ourDoctors: ReadonlySet<number | null>,
  { polis, doctors, shifts }: Hfis,
): Difference[] => {
  const nothing = { date: null, hours: null, janji: null, hfis: null };
  const named = <K extends string | number>(
    what: 'poli' | 'doctor',
    keys: readonly (readonly [K, string])[],
    known: ReadonlyMap<K, string>,
  ): Difference[] =>
    [...new Map(keys)]
      .filter(([key]) => !known.has(key))
      .map(([key, name]) => ({ ...nothing, what, missing: 'hfis', code: String(key), name }));
  const [theirs, own] = [shifts, ours].map((list) => new Map(list.map((shift) => [keyOf(shift), shift])));
  const differences = [...(own ?? [])].flatMap(([key, shift]): Difference[] => {
    const other = theirs?.get(key);
    if (other === undefined)
      return [shiftDifference(shift, { what: 'shift', missing: 'hfis', janji: shift.places, hfis: null })];
    return other.places === shift.places
      ? []
      : [shiftDifference(shift, { what: 'places', missing: null, janji: shift.places, hfis: other.places })];
  });
  return [
    ...named(
      'poli',
      ours.map(({ poli }) => [poli, poli] as const),
      polis,
    ),
    ...named(
      'doctor',
      ours.map(({ doctor, name }) => [doctor, name] as const),
      doctors,
    ),
    ...[...doctors]
      .filter(([code]) => !ourDoctors.has(code))
      .map(
        ([code, name]): Difference => ({
          ...nothing,
          what: 'doctor',
          missing: 'janji',
          code: String(code),
          name,
        }),
      ),
    ...differences,
    ...[...(theirs ?? [])]
      .filter(([key]) => own?.has(key) === false)
      .map(([, shift]) =>
        shiftDifference(shift, { what: 'shift', missing: 'janji', janji: null, hfis: shift.places }),
      ),
  ];
};

/** HFIS could not be asked. */
class HfisSilent extends Error {}

type Row = Record<string, unknown>;

const askHfis = async (deps: Asking, path: string, signal: AbortSignal): Promise<Row[]> => {
  const { code, message, response } = await askBpjs(deps, { method: 'GET', path }, signal);
  // A poli without a doctor on a date is answered so.
  if (code === 201 && /tidak (ada|ditemukan)/i.test(message)) return [];
  if (judgeAnswer(code, message, null).means !== 'done' || response === null || response === undefined)
    throw new HfisSilent(`${path}: ${code === 0 ? 'no answer' : `${code} ${message}`}`);
  const { list } = response as { list?: Row[] };
  return list ?? (Array.isArray(response) ? response : []);
};

type Asking = Pick<Deps, 'config' | 'clock' | 'askPartner' | 'db' | 'clinicTime'>;

const toHours = (text: unknown): string => String(text).replaceAll(' ', '');

const readHfis = async (
  deps: Asking,
  dates: readonly string[],
  polis: readonly string[],
  signal: AbortSignal,
): Promise<Hfis> => {
  const isHospital = deps.config.BPJS === 'rs';
  const [today = ''] = dates;
  const known = await askHfis(deps, isHospital ? 'ref/poli' : `ref/poli/tanggal/${today}`, signal);
  const doctors = new Map<number, string>();
  if (isHospital)
    for (const { kodedokter, namadokter } of await askHfis(deps, 'ref/dokter', signal))
      doctors.set(Number(kodedokter), String(namadokter));
  const shifts: Shift[] = [];
  for (const date of dates)
    for (const poli of polis) {
      const path = isHospital
        ? `jadwaldokter/kodepoli/${poli}/tanggal/${date}`
        : `ref/dokter/kodepoli/${poli}/tanggal/${date}`;
      for (const row of await askHfis(deps, path, signal)) {
        const [doctor, name] = [Number(row.kodedokter), String(row.namadokter)];
        doctors.set(doctor, name);
        const hours = toHours(row.jadwal ?? row.jampraktek);
        if (Number(row.libur ?? 0) === 1) continue;
        const places = Number(row.kapasitaspasien ?? row.kapasitas);
        shifts.push({ date, poli, doctor, name, hours, places });
      }
    }
  const polisKnown = new Map(
    known.map((row): [string, string] => [
      String(row.kdsubspesialis ?? row.kodepoli),
      String(row.nmsubspesialis ?? row.namapoli),
    ]),
  );
  return { polis: polisKnown, doctors, shifts };
};

/** Compares doctors, polis and hours of the next seven days with HFIS; changes nothing. Throws `HfisSilent`. */
export const compareNextWeek = async (deps: Asking, signal: AbortSignal): Promise<Difference[]> => {
  const { db, clinicTime, clock, config } = deps;
  const today = clinicTime.dateOf(clock());
  const dates = Array.from({ length: 7 }, (_, at) => clinicTime.addDays(today, at));
  const { ours, known } = await runAll(db, {
    ours: findOurShifts(db, { dates: JSON.stringify(dates), family: config.BPJS ?? 'rs' }),
    known: findOurDoctors(db, {}),
  });
  const polis = [...new Set(ours.map(({ poli }) => poli))];
  return compareWithHfis(
    ours,
    new Set(known.map(({ code }) => code)),
    await readHfis(deps, dates, polis, signal),
  );
};
