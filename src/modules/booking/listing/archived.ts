import { findArchivedByCode } from '../../../core/archive/queries.ts';
import { readArchived } from '../../../core/archive/read.ts';
import { mayBeArchived, mergePages } from '../../../core/archive/rules.ts';
import { type Db, run } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { soughtIn } from '../../../core/search/rules.ts';
import type { AnyActor } from '../../auth/context.ts';
import { type ArchivedBooking, withPatients } from '../record/archived.ts';
import { findRecordId } from '../record/archived-queries.ts';
import type { JudgingContext } from '../record/context.ts';
import type { JudgedRow } from '../record/views.ts';
import { archivedLists, countArchivedList, findPatientsOfDates, findSought } from './archived-queries.ts';
import { type Counts, noCounts, phoneDigits } from './rules.ts';
import { clinicBookingView } from './views.ts';

/** What a list asks for. */
export interface Asked {
  from: string;
  to: string;
  since: number;
  order: 'asc' | 'desc';
  cursor: readonly [number, string];
  limit: number;
  /** A whole booking code, which is found on any date. */
  code: string | null;
  q: string | undefined;
  doctorId: string | null;
  sessionId: string | null;
  patientId: string | null;
  statuses: string | null;
  visits: string | null;
  confirmation: string | null;
}

/** A booking of a list: what it is sorted by, and its text. */
interface Listed {
  id: string;
  judged: Pick<JudgedRow, 'id' | 'startsAt'>;
  text: string;
}

const toListed = (context: JudgingContext, row: ArchivedBooking): Listed => {
  const { name: patientName, phoneCountryCode, phoneNumber } = row.archived;
  const view = clinicBookingView(context, { ...row, patientName, phoneCountryCode, phoneNumber });
  return { id: row.id, judged: row, text: JSON.stringify(view) };
};

/** The patients that a list is narrowed to; null for all. */
const wantedPatients = async ({ db, archive }: Deps, asked: Asked): Promise<string[] | null> => {
  const { patientId, q } = asked;
  const named =
    patientId === null ? null : (await run(db, findRecordId(db, { id: patientId }))).map(({ id }) => id);
  if (q === undefined || archive === undefined) return named;
  const dates = { fromDate: asked.from, toDate: asked.to };
  const there = named ?? (await run(archive.db, findPatientsOfDates(archive.db, dates))).map(({ id }) => id);
  const sought = { ids: JSON.stringify(there), terms: soughtIn(q).terms, phone: phoneDigits(q) };
  return (await run(db, findSought(db, sought))).map(({ id }) => id);
};

const byStart = (order: 'asc' | 'desc') => (a: Listed, b: Listed) =>
  (order === 'asc' ? 1 : -1) * (a.judged.startsAt - b.judged.startsAt || (a.id < b.id ? -1 : 1));

/** The archived booking of a code, which the caller may see. */
const findCoded = async (context: JudgingContext, actor: AnyActor, code: string) => {
  const { deps } = context;
  const rows = await readArchived(deps, (db) => findArchivedByCode(db, { code }), 1);
  const [found] = await withPatients(deps, rows, actor.userId);
  const isTheirs = actor.role !== 'doctor' || found?.doctorId === actor.doctorId;
  return isTheirs ? found : undefined;
};

const add = (a: Counts, b: Counts): Counts =>
  Object.fromEntries(
    Object.entries(a).map(([name, count]) => [name, count + b[name as keyof Counts]]),
  ) as Counts;

/** A page of a list and its counts, with what is archived. */
export const withArchived = async (
  context: JudgingContext & { actor: AnyActor },
  asked: Asked,
  own: readonly Omit<Listed, 'id'>[],
  counts: Counts,
): Promise<{ views: readonly Omit<Listed, 'id'>[]; counts: Counts }> => {
  const { deps, actor, now } = context;
  const { archive, clinicTime } = deps;
  if (archive === undefined) return { views: own, counts };
  if (asked.code !== null && own.length === 0) {
    const coded = await findCoded(context, actor, asked.code);
    if (coded !== undefined)
      return { views: [toListed(context, coded)], counts: { ...noCounts, [coded.status]: 1 } };
  }
  if (!mayBeArchived(clinicTime.startOf(asked.from), now)) return { views: own, counts };
  const doctorId = actor.role === 'doctor' ? (actor.doctorId ?? '') : asked.doctorId;
  if (asked.doctorId !== null && asked.doctorId !== doctorId) return { views: own, counts };
  const patients = await wantedPatients(deps, asked);
  const filter = {
    fromDate: asked.from,
    toDate: asked.to,
    doctorId,
    sessionId: asked.sessionId,
    patientIds: patients === null ? null : JSON.stringify(patients),
    code: asked.q?.toUpperCase() ?? null,
    since: asked.since,
  };
  const [cursorStart, cursorId] = asked.cursor;
  const { statuses, visits, confirmation } = asked;
  const page = { ...filter, statuses, visits, confirmation, cursorStart, cursorId };
  const ask = (db: Db, limit: number) => archivedLists[asked.order](db, { ...page, limit });
  const rows = await withPatients(deps, await readArchived(deps, ask, asked.limit), actor.userId);
  const [archived = noCounts] = await run(archive.db, countArchivedList(archive.db, filter));
  const listed = own.map((view) => ({ ...view, id: view.judged.id }));
  const merged = rows.map((row) => toListed(context, row));
  return {
    views: mergePages(listed, merged, byStart(asked.order), asked.limit),
    counts: add(counts, archived),
  };
};
