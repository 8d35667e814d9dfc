import { findArchivedByCode } from '../../../core/archive/queries.ts';
import { readArchived } from '../../../core/archive/read.ts';
import { mayBeArchived, mergePages } from '../../../core/archive/rules.ts';
import { type Db, run } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import type { AnyActor } from '../../auth/context.ts';
import { type ArchivedBooking, withPatients } from '../record/archived.ts';
import { findRecordId } from '../record/archived-queries.ts';
import type { JudgingContext } from '../record/context.ts';
import type { JudgedRow } from '../record/views.ts';
import { archivedLists, countArchivedList, findPatientsOfDates, findSought } from './archived-queries.ts';
import { type Counts, noCounts } from './rules.ts';
import { clinicBookingView } from './views.ts';

/** What a list asks for. */
export interface Asked {
  page: Omit<Parameters<typeof archivedLists.asc>[1], 'patientIds'> & {
    fromDate: string;
    since: number;
    terms: string | null;
    phone: string;
    patientId: string | null;
    limit: number;
  };
  order: 'asc' | 'desc';
  /** A whole booking code, which is found on any date. */
  coded: string | null;
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
const wantedPatients = async ({ db, archive }: Deps, { page }: Asked): Promise<string | null> => {
  const { patientId, terms, phone } = page;
  const named = patientId === null ? null : await run(db, findRecordId(db, { id: patientId }));
  const listed = (rows: readonly { id: string }[]) => JSON.stringify(rows.map(({ id }) => id));
  if (terms === null || archive === undefined) return named && listed(named);
  const there = named ?? (await run(archive.db, findPatientsOfDates(archive.db, page)));
  return listed(await run(db, findSought(db, { ids: listed(there), terms, phone })));
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
  const { page, order, coded } = asked;
  if (archive === undefined) return { views: own, counts };
  if (coded !== null && own.length === 0) {
    const found = await findCoded(context, actor, coded);
    if (found !== undefined)
      return { views: [toListed(context, found)], counts: { ...noCounts, [found.status]: 1 } };
  }
  if (!mayBeArchived(clinicTime.startOf(page.fromDate), now)) return { views: own, counts };
  const doctorId = actor.role === 'doctor' ? (actor.doctorId ?? '') : page.doctorId;
  if (page.doctorId !== null && page.doctorId !== doctorId) return { views: own, counts };
  const wanted = { ...page, doctorId, patientIds: await wantedPatients(deps, asked) };
  const ask = (db: Db, limit: number) => archivedLists[order](db, { ...wanted, limit });
  const rows = await withPatients(deps, await readArchived(deps, ask, page.limit), actor.userId);
  const [archived = noCounts] = await run(archive.db, countArchivedList(archive.db, wanted));
  const listed = own.map((view) => ({ ...view, id: view.judged.id }));
  const merged = rows.map((row) => toListed(context, row));
  return {
    views: mergePages(listed, merged, byStart(order), page.limit),
    counts: add(counts, archived),
  };
};
