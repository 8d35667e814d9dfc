import { readArchived } from '../../core/archive/read.ts';
import { mayBeArchived, mergePages } from '../../core/archive/rules.ts';
import { type Db, run } from '../../core/db/db.ts';
import type { Deps } from '../../core/deps.ts';
import type { AnyContext } from '../auth/context.ts';
import { type ArchivedBooking, withPatients } from '../booking/record/archived.ts';
import { readPractice } from './practice.ts';
import {
  type AppointmentRow,
  type AppointmentWay,
  type appointments,
  archivedAppointments,
  findBeside,
  findDoctors,
} from './queries.ts';

/** Archived bookings with what an Appointment shows of their patients and doctors. */
export const toAppointmentRows = async (
  { db }: Pick<Deps, 'db'>,
  rows: readonly ArchivedBooking[],
): Promise<AppointmentRow[]> => {
  if (rows.length === 0) return [];
  const ids = JSON.stringify([...new Set(rows.map(({ doctorId }) => doctorId))]);
  const found = new Map((await run(db, findDoctors(db, ids))).map((one) => [one.id, one]));
  return rows.map((row) => ({
    ...row,
    patientName: row.archived.name,
    practice: readPractice(found.get(row.doctorId)),
  }));
};

interface Found {
  rows: AppointmentRow[];
  total: number;
}

type Values = Parameters<(typeof appointments)['ids']['page']>[1];

const byStart = (a: AppointmentRow, b: AppointmentRow): number =>
  a.startsAt - b.startsAt || (a.id < b.id ? -1 : 1);

/** What a search found, with what is archived; a search of later dates does not ask the archive. */
export const withArchived = async (
  { deps, now, actor }: Pick<AnyContext, 'deps' | 'now' | 'actor'>,
  way: AppointmentWay,
  values: Values & { from: number; limit: number; specialties: string | null; patientIds: string | null },
  own: Found,
): Promise<Found> => {
  const { db, archive } = deps;
  if (archive === undefined || !mayBeArchived(values.from, now)) return own;
  const [beside] = await run(db, findBeside(db, values));
  if (beside === undefined) return own;
  const wanted = { ...values, ...beside };
  const { page, total } = archivedAppointments[way];
  const ask = (from: Db, limit: number) => page(from, { ...wanted, limit });
  const rows = await withPatients(deps, await readArchived(deps, ask, values.limit), actor.userId);
  const [counted] = await run(archive.db, total(archive.db, wanted));
  return {
    rows: mergePages(own.rows, await toAppointmentRows(deps, rows), byStart, values.limit),
    total: own.total + (counted?.total ?? 0),
  };
};
