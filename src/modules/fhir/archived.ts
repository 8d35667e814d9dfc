import { readArchived } from '../../core/archive/read.ts';
import { mayBeArchived, mergePages, newestFirst } from '../../core/archive/rules.ts';
import { dayMs } from '../../core/clinic/durations.ts';
import { type Db, run, runAll } from '../../core/db/db.ts';
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
  /** Absent where it would be counted through the whole archive. */
  total?: number;
}

type Values = Parameters<(typeof appointments)['ids']['pages'][0]>[1];

type Started = Pick<AppointmentRow, 'startsAt' | 'id'>;

const earliestFirst = (a: Started, b: Started): number => a.startsAt - b.startsAt || (a.id < b.id ? -1 : 1);

/** The values of a search by which the archive is asked. */
interface Wanted {
  from: number;
  before: number;
  afterStart: number;
  limit: number;
  specialties: string | null;
  patientIds: string | null;
  doctorIds: string | null;
}

const mostCountedDays = 400;

/** Whether a search of the archive is counted: of a patient always, of others within so many days, and where only the number is asked for. */
const isCounted = (way: AppointmentWay, { from, before, limit }: Values & Wanted): boolean =>
  (way !== 'doctors' && way !== 'dates') || before - from <= mostCountedDays * dayMs || limit === 1;

/**
 * What a search found, with what is archived; a search of later dates does not ask the archive. Of each doctor and of dates
 * it reads as much as the page asks for.
 */
export const withArchived = async (
  { deps, now, actor }: Pick<AnyContext, 'deps' | 'now' | 'actor'>,
  way: AppointmentWay,
  values: Values & Wanted,
  own: Found,
  isFalling: boolean,
): Promise<Found> => {
  const { db, archive } = deps;
  if (archive === undefined || !mayBeArchived(values.from, now)) return own;
  const [beside] = await run(db, findBeside(db, values));
  if (beside === undefined) return own;
  const { total, pages } = archivedAppointments[way];
  const byStart = isFalling ? newestFirst : earliestFirst;
  const doctorIds: string[] = way === 'doctors' ? JSON.parse(values.doctorIds ?? '[]') : [];
  const asked =
    way === 'doctors' ? [...new Set(doctorIds)].map((id) => JSON.stringify([id])) : [values.doctorIds];
  const parts = asked.map((doctorIds) => ({ ...values, ...beside, doctorIds }));
  const found = await Promise.all(
    parts.map((part) => {
      const after = isFalling
        ? { before: Math.min(part.before, part.afterStart + 1) }
        : { from: Math.max(part.from, part.afterStart) };
      return readArchived(
        deps,
        (asking: Db, limit) => pages[isFalling ? 1 : 0](asking, { ...part, ...after, limit }),
        values.limit,
      );
    }),
  );
  const shown = found.flat().sort(byStart).slice(0, values.limit);
  const rows = await toAppointmentRows(deps, await withPatients(deps, shown, actor.userId));
  const merged = { rows: mergePages(own.rows, rows, byStart, values.limit) };
  if (own.total === undefined || !isCounted(way, values)) return merged;
  const counts = await runAll(
    archive.db,
    parts.map((part) => total(archive.db, part)),
  );
  return { ...merged, total: counts.reduce((sum, [counted]) => sum + (counted?.total ?? 0), own.total) };
};
