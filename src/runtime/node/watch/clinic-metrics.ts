import type { Registry } from 'prom-client';
import { clinicInstruments, instruments } from './instruments.ts';

/** The metrics of each of many clinics. */
export interface ClinicCounts {
  requests: number;
  failures: number;
  seconds: number;
}

export interface Clinics {
  /** How many clinics are counted apart; the rest together. */
  apart: number;
  counts: () => { open: number; inUse: number };
  waiting: () => { running: number; waiting: number; refused: number };
  /** The size of each clinic's database, by its id. */
  sizes: () => ReadonlyMap<string, number>;
  /** The size of the archives of those that have one. */
  archives: () => ReadonlyMap<string, number>;
  /** What this machine owns and forwards, where several serve the clinics. */
  machines?: (() => { owned: number; takenOver: number; forwarded: number; failed: number } | null) | null;
}

/** How the clinics are divided among machines. */
const registerMachines = (registers: Registry[], stats: NonNullable<Clinics['machines']>): void => {
  const { gauge, counter } = instruments(registers);
  gauge('janji_clinics_owned', 'Clinics that this machine owns.', () => stats()?.owned ?? 0);
  counter(
    'janji_clinics_taken_over_total',
    'Clinics taken from a machine that had not given them back.',
    () => stats()?.takenOver ?? 0,
  );
  counter(
    'janji_clinics_forwarded_total',
    'Requests forwarded to the machine that owns the clinic.',
    () => stats()?.forwarded ?? 0,
  );
  counter(
    'janji_clinics_forward_failures_total',
    'Forwarded requests that the machine did not answer.',
    () => stats()?.failed ?? 0,
  );
};

/** Requests by clinic: the busiest have a label of their own, so that a thousand clinics make no thousand series. */
export const registerClinics = (
  registers: Registry[],
  { apart, counts, waiting, sizes, archives, machines = null }: Clinics,
  byClinic: ReadonlyMap<string, ClinicCounts>,
): void => {
  if (machines !== null) registerMachines(registers, machines);
  const { gauge } = instruments(registers);
  gauge('janji_clinics_open', 'Clinics whose database is open.', () => counts().open);
  gauge('janji_clinics_in_use', 'Open clinics that are in use.', () => counts().inUse);
  gauge(
    'janji_clinics_waiting_requests',
    'Requests that wait for the turn of their clinic.',
    () => waiting().waiting,
  );
  const ofClinic = clinicInstruments(registers);
  /** The first ones by this order have a label of their own. */
  const first = <V>(all: ReadonlyMap<string, V>, weight: (value: V) => number, shown: (value: V) => number) =>
    [...all]
      .sort(([, one], [, other]) => weight(other) - weight(one))
      .map(([clinic, value], at) => [at < apart ? clinic : 'other', shown(value)] as const);
  const bytes = (size: number): number => size;
  ofClinic.gauge(
    'janji_clinic_database_bytes',
    'The size of the database of each of the largest clinics with its log, and of the rest together.',
    () => first(sizes(), bytes, bytes),
  );
  ofClinic.gauge(
    'janji_clinic_archive_bytes',
    'The size of the archive of each of the largest with its log, and of the rest together.',
    () => first(archives(), bytes, bytes),
  );
  const counted = (name: string, help: string, shown: (counts: ClinicCounts) => number) =>
    ofClinic.counter(name, help, () => first(byClinic, ({ requests }) => requests, shown));
  counted('janji_clinic_requests_total', 'Answered requests by clinic.', ({ requests }) => requests);
  counted('janji_clinic_failures_total', 'Requests answered with 5xx by clinic.', ({ failures }) => failures);
  counted(
    'janji_clinic_request_seconds_total',
    'Time spent on requests by clinic.',
    ({ seconds }) => seconds,
  );
};
