import Database from 'libsql';
import { maxOverbooked } from '../../../src/modules/booking/seats/decision.ts';
import { findProblems } from '../../../src/runtime/node/database/invariants.ts';
import { differencesFrom } from './acknowledged.ts';
import type { ClinicFile } from './clinic-file.ts';
import type { AtWork, Known } from './patient.ts';

interface Stored {
  id: string;
  patient_id: string;
  doctor_id: string;
  schedule_date: string;
  schedule_time: string;
  status: string;
  version: number;
  seat: number;
  overbooked: number;
  events: number;
}

const readBookings = (path: string): Stored[] => {
  const database = new Database(path, { timeout: 1000 });
  try {
    return database
      .prepare(
        `select id, patient_id, doctor_id, schedule_date, schedule_time, status, version, seat, overbooked,
          (select count(*) from booking_events e where e.booking_id = b.id) as events from bookings b`,
      )
      .all() as Stored[];
  } finally {
    database.close();
  }
};

const differences = (known: Known, stored: Stored | undefined): string[] => {
  if (stored === undefined) return [`${known.id} was acknowledged and is gone`];
  const matchesAcknowledged =
    (stored.status === 'canceled') === (known.status === 'canceled') &&
    (known.status === 'canceled' || (stored.status === 'approved') === known.approved) &&
    stored.doctor_id === known.slot.doctor_id &&
    stored.schedule_date === known.slot.schedule_date &&
    stored.schedule_time === known.slot.schedule_time;
  if (!matchesAcknowledged)
    return [`${known.id} is not as it was acknowledged: ${JSON.stringify({ known, stored })}`];
  if (stored.version !== known.changes || stored.events !== known.changes)
    return [
      `${known.id}: ${known.changes} changes acknowledged, ${stored.version} made, ${stored.events} told`,
    ];
  return [];
};

/** The file's rows that no patient was answered, the answered ones that it lacks, and broken invariants. */
export const violationsIn = (path: string, clinic: ClinicFile, patients: readonly AtWork[]): string[] => {
  const settled = patients.flatMap((patient) => patient.settled);
  const violations = [...findProblems(path), ...differencesFrom(path, settled)];
  const stored = new Map(readBookings(path).map((row) => [row.id, row]));
  for (const { known } of patients) {
    for (const booking of known.values()) {
      violations.push(...differences(booking, stored.get(booking.id)));
    }
  }
  for (const { id, seat, overbooked, doctor_id, status } of stored.values())
    if (status !== 'canceled' && seat > (clinic.capacities[doctor_id] ?? 0) + overbooked * maxOverbooked)
      violations.push(`${id} sits on seat ${seat} beyond the capacity`);
  return violations;
};

/** How many seats beyond the capacity were given. */
export const overbookedIn = (path: string): number =>
  readBookings(path).filter(({ overbooked }) => overbooked === 1).length;
