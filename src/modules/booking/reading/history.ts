import * as z from 'zod/mini';
import { mayBeArchived, mergePages, newestFirst } from '../../../core/archive/rules.ts';
import { type Reading, readOne, runAll } from '../../../core/db/db.ts';
import { splitLines } from '../../../core/db/row-columns.ts';
import type { Deps } from '../../../core/deps.ts';
import type { QueryOf } from '../../../core/endpoint/endpoint.ts';
import { once } from '../../../core/endpoint/once.ts';
import { decodeCursor, encodeCursor } from '../../../core/http/cursor.ts';
import { jsonList } from '../../../core/http/respond.ts';
import type { Actor } from '../../auth/context.ts';
import { longestSlotMs } from '../../catalog/slots/rules.ts';
import { readOfPatients } from '../record/archived.ts';
import { findMembers, findRecordId } from '../record/archived-queries.ts';
import type { JudgingContext } from '../record/context.ts';
import { findHistory, findNewest } from '../record/queries.ts';
import { partyOfActor } from '../record/rules.ts';
import { bookingView, detailView } from '../record/views.ts';
import type { GetHistory } from './contract.ts';
import { findHistoryDetails } from './history-queries.ts';

const defaultLimit = 50;
const latest = Number.MAX_SAFE_INTEGER;
const position = once(() => z.tuple([z.number(), z.string()]));

type Query = QueryOf<typeof GetHistory>;
type PlainPage = ReturnType<typeof findHistory>['_']['result'][number];
type DetailRow = ReturnType<typeof findHistoryDetails.asc>['_']['result'][number];
type Found = PlainPage | { rows: readonly DetailRow[] };

/** The instant before which the asked dates end. */
const computeEnd = (deps: Deps, { to }: Query): number =>
  to === undefined ? latest : deps.clinicTime.startOf(deps.clinicTime.addDays(to, 1));

const computeStart = (deps: Deps, { from }: Query): number =>
  from === undefined ? 0 : deps.clinicTime.startOf(from);

/** Where the page begins: at its cursor, but not after the last requested date. */
const startOfHistory = (deps: Deps, query: Query): readonly [number, string] => {
  const end = computeEnd(deps, query);
  if (query.cursor === undefined) return [end, ''];
  const [startsAt, id] = decodeCursor(query.cursor, position);
  return startsAt < end ? [startsAt, id] : [end, ''];
};

const plainRead = (deps: Deps, accountId: string, query: Query) => {
  const { limit: shown = defaultLimit, ...narrowing } = query;
  const limit = shown + 1;
  if (Object.values(narrowing).every((value) => value === undefined))
    return findNewest(deps.db, { accountId, limit });
  const [beforeStart, beforeId] = startOfHistory(deps, query);
  return findHistory(deps.db, {
    accountId,
    patientId: query.patient_id ?? null,
    beforeStart,
    beforeId,
    fromInstant: computeStart(deps, query),
    status: query.status ?? null,
    doctorId: query.doctor_id ?? null,
    limit,
  });
};

const detailRead = (deps: Deps, now: number, accountId: string, query: Query) => {
  const isUpcoming = query.when === 'upcoming';
  const first = isUpcoming ? ([-1, ''] as const) : ([latest, ''] as const);
  const [cursorStart, cursorId] = query.cursor === undefined ? first : decodeCursor(query.cursor, position);
  const from = computeStart(deps, query);
  return findHistoryDetails[isUpcoming ? 'asc' : 'desc'](deps.db, {
    accountId,
    patientId: query.patient_id ?? null,
    cursorStart,
    cursorId,
    // A booking that has not ended began less than the longest slot ago: the index search starts there.
    fromInstant: isUpcoming ? Math.max(from, now - longestSlotMs) : from,
    beforeInstant: query.when === 'past' ? Math.min(computeEnd(deps, query), now) : computeEnd(deps, query),
    endsAfter: isUpcoming ? now : 0,
    endsBy: query.when === 'past' ? now : latest,
    status: query.status ?? null,
    doctorId: query.doctor_id ?? null,
    limit: (query.limit ?? defaultLimit) + 1,
  });
};

/**
 * Reads one page of the bookings of an account and its family, and one row more to see whether another page follows: as
 * rows where what is archived comes between them.
 */
export const historyRead = (deps: Deps, now: number, accountId: string, query: Query): Reading<Found> =>
  query.include === undefined && query.when === undefined && deps.archive === undefined
    ? readOne(plainRead(deps, accountId, query), ([page]) => page ?? { text: null })
    : readOne(detailRead(deps, now, accountId, query), (rows) => ({ rows }));

const plainPage = ({ text }: PlainPage, limit: number) => {
  const lines = splitLines(text);
  const starts = lines.pop();
  const hasNext = lines.length > limit;
  if (hasNext) lines.length = limit;
  const data = jsonList(lines);
  if (!hasNext) return { data, nextCursor: null };
  const { id } = JSON.parse(lines.at(-1) ?? '');
  return { data, nextCursor: encodeCursor([Number(starts?.split(',')[limit - 1]), id]) };
};

const toDetail = (context: JudgingContext, actor: Actor, row: DetailRow) => ({
  ...detailView(context, row, partyOfActor(row, actor) ?? 'patient'),
  patient: {
    id: row.patientId,
    name: row.patientName,
    phone_country_code: row.phoneCountryCode,
    phone_number: row.phoneNumber,
  },
  to_answer: row.toAnswer,
});

const historyPage = (
  context: JudgingContext,
  actor: Actor,
  found: Found,
  { limit = defaultLimit, include }: Query,
) => {
  if (!('rows' in found)) return plainPage(found, limit);
  const page = found.rows.slice(0, limit);
  const last = found.rows.length > limit ? page.at(-1) : undefined;
  return {
    data: page.map((row) => (include === 'detail' ? toDetail(context, actor, row) : bookingView(row))),
    nextCursor: last === undefined ? null : encodeCursor([last.startsAt, last.id]),
  };
};

/** The records whose bookings are asked for: those of the caller and the family, or one of them. */
const wantedPatients = async (
  { db }: Deps,
  accountId: string,
  { patient_id: id }: Query,
): Promise<string[]> => {
  const { members, records } = await runAll(db, {
    members: findMembers(db, { accountId }),
    records: findRecordId(db, { id: id ?? '' }),
  });
  const ids = members.map((row) => row.id);
  return id === undefined ? ids : ids.filter((one) => one === records[0]?.id);
};

/** The part of a page that is archived. */
const archivedPart = async ({ deps, now }: JudgingContext, accountId: string, query: Query) => {
  const [cursorStart, cursorId] =
    query.cursor === undefined ? ([latest, ''] as const) : decodeCursor(query.cursor, position);
  const isPast = query.when === 'past';
  const limit = (query.limit ?? defaultLimit) + 1;
  return readOfPatients(deps, accountId, await wantedPatients(deps, accountId, query), limit, {
    fromStart: computeStart(deps, query),
    beforeStart: isPast ? Math.min(computeEnd(deps, query), now) : computeEnd(deps, query),
    endsBy: isPast ? now : latest,
    cursorStart,
    cursorId,
    status: query.status ?? null,
    doctorId: query.doctor_id ?? null,
  });
};

/** Of a page that the clinic's own database fills with newer bookings, nothing can be archived. */
const isFilled = (rows: readonly DetailRow[], now: number, { limit = defaultLimit }: Query): boolean =>
  rows.length > limit && !mayBeArchived(rows.at(-1)?.startsAt ?? 0, now);

export type HistoryPage = ReturnType<typeof historyPage>;

/** A page with what is archived. */
const pageWithArchived = async (
  context: JudgingContext,
  actor: Actor,
  found: Found & { rows: readonly DetailRow[] },
  query: Query,
): Promise<HistoryPage> => {
  const archived = await archivedPart(context, actor.userId, query);
  if (archived.length === 0) return historyPage(context, actor, found, query);
  const rows = mergePages(
    found.rows,
    archived.map((row) => ({
      ...row,
      patientName: row.archived.name,
      phoneCountryCode: row.archived.phoneCountryCode,
      phoneNumber: row.archived.phoneNumber,
      toAnswer: null,
    })),
    newestFirst,
    (query.limit ?? defaultLimit) + 1,
  );
  return historyPage(context, actor, { rows }, query);
};

/** A page of the history. Not async: without an archive a request waits for nothing here. */
export const historyAnswer = (
  context: JudgingContext,
  actor: Actor,
  found: Found,
  query: Query,
): HistoryPage | Promise<HistoryPage> => {
  const { deps, now } = context;
  const mayHave =
    deps.archive !== undefined && query.when !== 'upcoming' && mayBeArchived(computeStart(deps, query), now);
  if (!mayHave || !('rows' in found) || isFilled(found.rows, now, query))
    return historyPage(context, actor, found, query);
  return pageWithArchived(context, actor, found, query);
};
