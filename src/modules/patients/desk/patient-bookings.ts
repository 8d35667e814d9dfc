import * as z from 'zod/mini';
import type { Deps } from '../../../core/deps.ts';
import type { QueryOf } from '../../../core/endpoint/endpoint.ts';
import { once } from '../../../core/endpoint/once.ts';
import { decodeCursor } from '../../../core/http/cursor.ts';
import { buildPage, defaultLimit } from '../../../core/http/page.ts';
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

export const patientBookings = (
  context: JudgingContext,
  id: string,
  query: Query,
  rows: readonly BookingRow[],
) => {
  const path = ListPatientBookings.path.replace('{id}', id);
  const { shown, ...page } = buildPage(rows, path, query, (row) => [row.startsAt, row.id]);
  return { status: 200 as const, data: shown.map((row) => detailView(context, row, 'clinic')), ...page };
};
