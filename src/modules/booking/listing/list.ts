import * as z from 'zod/mini';
import { assertDateRange } from '../../../core/clinic/date-range.ts';
import { instantSince } from '../../../core/clinic/since.ts';
import { type Reading, reading } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import type { QueryOf } from '../../../core/endpoint/endpoint.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { once } from '../../../core/endpoint/once.ts';
import { buildPage, pageStart } from '../../../core/http/page.ts';
import { jsonList } from '../../../core/http/respond.ts';
import { soughtIn } from '../../../core/search/rules.ts';
import type { AnyActor } from '../../auth/context.ts';
import { isBookingCode } from '../record/code.ts';
import type { JudgingContext } from '../record/context.ts';
import { type Asked, withArchived } from './archived.ts';
import { findSequence } from './change-queries.ts';
import { ListBookings } from './contract.ts';
import { findByCode, lists, type Scope } from './queries.ts';
import { type Counts, longestListDays, noCounts, phoneDigits } from './rules.ts';
import { textViews } from './views.ts';

type Query = QueryOf<typeof ListBookings>;
type Coded = ReturnType<typeof findByCode>['_']['result'][number];

interface ReadList {
  /** Bookings as `bookingText` has them. */
  text: string | null;
  counts: Counts;
  sequence: number;
  /** The same for the archive; null where the list is of one booking that is not there. */
  asked: Asked | null;
}

const position = once(() => z.tuple([z.number(), z.string()]));
const start = { asc: [0, ''], desc: [Number.MAX_SAFE_INTEGER, ''] } as const;

/** The requested dates: one, or a range; today unless set. A missing end is the same day as the other. */
const resolveDates = ({ clinicTime }: Deps, now: number, query: Query) => {
  const { date, from = query.to, to = query.from } = query;
  if (from === undefined || to === undefined) {
    const only = date ?? clinicTime.dateOf(now);
    return { from: only, to: only };
  }
  if (date !== undefined) throw new Failure('invalid_query', { issues: [{ path: 'date', rule: 'invalid' }] });
  assertDateRange(clinicTime, 'invalid_query', { from, to }, longestListDays);
  return { from, to };
};

const listOrNull = (words: readonly string[] | undefined): string | null =>
  words === undefined ? null : JSON.stringify(words);

const isWanted =
  (query: Query, since: number, { from, to }: { from: string; to: string }) =>
  (row: Coded) =>
    row.updatedAt >= since &&
    ((query.date ?? query.from ?? query.to) === undefined ||
      (row.scheduleDate >= from && row.scheduleDate <= to)) &&
    (query.doctor_id ?? row.doctorId) === row.doctorId &&
    (query.session_id ?? row.sessionId) === row.sessionId &&
    (query.patient_id ?? row.patientId) === row.patientId;

const isOfState =
  ({ status, visit, confirmation }: Query) =>
  (row: Coded): boolean =>
    (status?.includes(row.status) ?? true) &&
    (visit?.some((word) => word === row.visit) ?? true) &&
    (confirmation ?? row.confirmation) === row.confirmation;

const countBooking = ({ status, visit, confirmation }: Coded): Counts => ({
  ...noCounts,
  [status]: 1,
  ...(visit !== null && { [visit]: 1 }),
  ...(confirmation === 'unanswered' && { unanswered: 1 }),
});

const hasAny = (counts: Counts): boolean => Object.values(counts).some((count) => count > 0);

/** The ways that read the fewest rows: the caller is a doctor or not, which the database knows. */
const chooseScopes = (query: Query): readonly Scope[] => {
  if (query.patient_id !== undefined) return ['patient'];
  return query.doctor_id === undefined ? ['doctor', 'clinic'] : ['doctor'];
};

/** The read of one page with the counts of all, in one round trip. */
export const listRead = (deps: Deps, now: number, callerId: string, query: Query): Reading<ReadList> => {
  const { db, clinicTime } = deps;
  const { q, order = 'asc' } = query;
  if (q !== undefined && query.external_id !== undefined)
    throw new Failure('invalid_query', { issues: [{ path: 'q', rule: 'invalid' }] });
  const { from, to } = resolveDates(deps, now, query);
  const code = q?.toUpperCase() ?? null;
  const since = instantSince(clinicTime, query.updated_since);
  const {
    position: [cursorStart, cursorId],
    limit,
  } = pageStart(query, position, [...start[order]]);
  const span = {
    fromDate: from,
    toDate: to,
    fromStart: clinicTime.startOf(from),
    beforeStart: clinicTime.startOf(clinicTime.addDays(to, 1)),
  };
  const filter = {
    ...span,
    callerId,
    doctorId: query.doctor_id ?? null,
    sessionId: query.session_id ?? null,
    patientId: query.patient_id ?? null,
    terms: q === undefined ? null : soughtIn(q).terms,
    phone: phoneDigits(q ?? ''),
    code,
    since,
  };
  // A later page begins at the date of its cursor, so that the dates before it are not read again.
  const cursorDate = clinicTime.dateOf(Math.min(Math.max(cursorStart, span.fromStart), span.beforeStart - 1));
  const page = {
    ...filter,
    ...(order === 'asc' ? { fromDate: cursorDate } : { toDate: cursorDate }),
    statuses: listOrNull(query.status),
    visits: listOrNull(query.visit),
    confirmation: query.confirmation ?? null,
    cursorStart,
    cursorId,
    limit,
  };
  const isAnyDate = (query.date ?? query.from ?? query.to) === undefined;
  const mayBeCode = isAnyDate && query.cursor === undefined && code !== null && isBookingCode(code);
  const ways = query.external_id === undefined ? chooseScopes(query) : [];
  const asked: Asked = { page: { ...page, ...span }, order, coded: mayBeCode ? code : null };
  return reading(
    {
      // First of all: a change that comes in between is answered twice, and none is missed.
      sequences: findSequence(db, {}),
      coded: findByCode(db, {
        code: mayBeCode ? code : null,
        externalId: query.cursor === undefined ? (query.external_id ?? null) : null,
        callerId,
      }),
      pages: ways.map((scope) => lists[scope][order](db, page)),
      counted: ways.map((scope) => lists[scope].counts(db, filter)),
    },
    ({ sequences: [last], coded, pages, counted }) => {
      const sequence = last?.sequence ?? 0;
      const [found] = coded.filter(isWanted(query, since, { from, to }));
      // A name such as Mahendra has the form of a booking code.
      if (found !== undefined)
        return {
          text: isOfState(query)(found) ? found.text : null,
          counts: countBooking(found),
          sequence,
          asked: null,
        };
      const [text = null] = pages.flatMap(([page]) => page?.text ?? []);
      const [counts = noCounts] = counted.flat().filter(hasAny);
      return { text, counts, sequence, asked: query.external_id === undefined ? asked : null };
    },
  );
};

/** A page of bookings with the fields that the clinic sees; a doctor gets only their own. */
export const listAnswer = async (
  context: JudgingContext & { actor: AnyActor },
  query: Query,
  { text, counts: own, sequence, asked }: ReadList,
) => {
  const standing = textViews(context, text);
  const { views, counts } =
    asked === null ? { views: standing, counts: own } : await withArchived(context, asked, standing, own);
  const { shown, meta, headers } = buildPage(
    views,
    ListBookings.path,
    query,
    ({ judged: { startsAt, id } }) => [startsAt, id],
  );
  return {
    status: 200 as const,
    data: jsonList(shown.map((view) => view.text)),
    meta: { ...meta, counts, sequence },
    headers,
  };
};
