import { findArchivedByCode, idList } from '../../../core/archive/queries.ts';
import { readArchived } from '../../../core/archive/read.ts';
import { mayBeArchived, mergePages } from '../../../core/archive/rules.ts';
import { type Db, run } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import type { AnyActor } from '../../auth/context.ts';
import { type ArchivedBooking, withPatients } from '../record/archived.ts';
import { findRecordId } from '../record/archived-queries.ts';
import type { JudgingContext } from '../record/context.ts';
import { toVisitStatus } from '../record/rules.ts';
import type { JudgedRow } from '../record/views.ts';
import { archivedLists, countArchivedList, findPatientsOfDates, findSought } from './archived-queries.ts';
import { type Counts, noCounts } from './rules.ts';
import { clinicBookingView } from './views.ts';

/** What a list asks for. */
export interface Asked {
  page: Omit<Parameters<typeof archivedLists.asc>[1], 'patientIds' | 'soughtIds'> & {
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

/** The patient that a list is narrowed to; null for all. */
const namedPatient = async ({ db }: Deps, { patientId }: Asked['page']): Promise<string | null> =>
  patientId === null ? null : idList(await run(db, findRecordId(db, { id: patientId })));

/** Those whose name or number is sought; null if none is. */
const soughtPatients = async (
  { db }: Deps,
  archive: Db,
  { terms, phone, ...page }: Asked['page'],
): Promise<string | null> => {
  if (terms === null) return null;
  const ids = idList(await run(archive, findPatientsOfDates(archive, page)));
  return idList(await run(db, findSought(db, { ids, terms, phone })));
};

const byStart = (order: 'asc' | 'desc') => (a: Listed, b: Listed) =>
  (order === 'asc' ? 1 : -1) * (a.judged.startsAt - b.judged.startsAt || (a.id < b.id ? -1 : 1));

/** The archived booking of a code, if it is among what is asked for, and whether its state is too. */
const findCoded = async (
  { deps, actor }: JudgingContext & { actor: AnyActor },
  page: Asked['page'],
  code: string,
): Promise<{ found: ArchivedBooking; isShown: boolean } | undefined> => {
  const [row] = await readArchived(deps, (db) => findArchivedByCode(db, { code }), 1);
  if (row === undefined) return undefined;
  const itsDate = { fromDate: row.scheduleDate, toDate: row.scheduleDate, cursorStart: 0, cursorId: '' };
  const wanted = { ...page, ...itsDate, code, patientIds: await namedPatient(deps, page), soughtIds: '[]' };
  const anyState = { statuses: null, visits: null, confirmation: null };
  const ask = (states: Partial<typeof anyState>) => (db: Db, limit: number) =>
    archivedLists.asc(db, { ...wanted, ...states, limit });
  const [one] = await readArchived(deps, ask(anyState), 1);
  if (one === undefined) return undefined;
  const shown = await readArchived(deps, ask({}), 1);
  const [found] = await withPatients(deps, [one], actor.userId);
  return found && { found, isShown: shown.length > 0 };
};

const countOne = (row: ArchivedBooking): Counts => ({
  ...noCounts,
  [row.status]: 1,
  ...(row.status !== 'canceled' && { [toVisitStatus(row) ?? 'expected']: 1 }),
});

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
  const { order, coded } = asked;
  if (archive === undefined) return { views: own, counts };
  const doctorId = actor.role === 'doctor' ? (actor.doctorId ?? '') : asked.page.doctorId;
  if (asked.page.doctorId !== null && asked.page.doctorId !== doctorId) return { views: own, counts };
  const page = { ...asked.page, doctorId };
  if (coded !== null) {
    const one = await findCoded(context, page, coded);
    if (one !== undefined)
      return { views: one.isShown ? [toListed(context, one.found)] : [], counts: countOne(one.found) };
  }
  if (!mayBeArchived(clinicTime.startOf(page.fromDate), now)) return { views: own, counts };
  const patientIds = await namedPatient(deps, page);
  const wanted = { ...page, patientIds, soughtIds: await soughtPatients(deps, archive.db, page) };
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
