import * as z from 'zod/mini';
import { mayBeArchived, mergePages, newestFirst } from '../../../core/archive/rules.ts';
import type { Deps } from '../../../core/deps.ts';
import type { QueryOf } from '../../../core/endpoint/endpoint.ts';
import { once } from '../../../core/endpoint/once.ts';
import { decodeCursor } from '../../../core/http/cursor.ts';
import { buildPage, defaultLimit } from '../../../core/http/page.ts';
import type { AnyActor } from '../../auth/context.ts';
import { readOfPatients } from '../../booking/record/archived.ts';
import type { JudgingContext } from '../../booking/record/context.ts';
import type { BookingRow } from '../../booking/record/queries.ts';
import { detailView } from '../../booking/record/views.ts';
import { ListPatientBookings } from './contract.ts';
import { findPatientBookings } from './queries.ts';

type Query = QueryOf<typeof ListPatientBookings>;

const position = once(() => z.tuple([z.number(), z.string()]));

/** The read of one page of a patient's bookings, the newest schedule first. */
export const patientBookingsRead = (
  { db }: Deps,
  callerId: string,
  id: string,
  { limit = defaultLimit, cursor }: Query,
) => {
  const [beforeStart, beforeId] =
    cursor === undefined ? [Number.MAX_SAFE_INTEGER, ''] : decodeCursor(cursor, position);
  return findPatientBookings(db, { id, callerId, beforeStart, beforeId, limit: limit + 1 });
};

/** The part of a page that is archived; a doctor sees those of the own bookings. */
const archivedPart = (
  { deps, actor }: Pick<JudgingContext, 'deps'> & { actor: AnyActor },
  recordId: string,
  { limit = defaultLimit, cursor }: Query,
) => {
  const [cursorStart, cursorId] =
    cursor === undefined ? [Number.MAX_SAFE_INTEGER, ''] : decodeCursor(cursor, position);
  const doctorId = actor.role === 'doctor' ? (actor.doctorId ?? '') : null;
  return readOfPatients(deps, actor.userId, [recordId], limit + 1, { cursorStart, cursorId, doctorId });
};

export const patientBookings = async (
  context: JudgingContext & { actor: AnyActor },
  recordId: string,
  id: string,
  query: Query,
  own: readonly BookingRow[],
) => {
  const limit = (query.limit ?? defaultLimit) + 1;
  const isFilled = own.length === limit && !mayBeArchived(own.at(-1)?.startsAt ?? 0, context.now);
  const rows =
    context.deps.archive === undefined || isFilled
      ? own
      : mergePages(own, await archivedPart(context, recordId, query), newestFirst, limit);
  const path = ListPatientBookings.path.replace('{id}', id);
  const { shown, ...page } = buildPage(rows, path, query, (row) => [row.startsAt, row.id]);
  return { status: 200 as const, data: shown.map((row) => detailView(context, row, 'clinic')), ...page };
};
