import * as z from 'zod/mini';
import type { Deps } from '../../deps.ts';
import type { QueryOf } from '../../endpoint/endpoint.ts';
import { once } from '../../endpoint/once.ts';
import { decodeCursor, encodeCursor } from '../../http/cursor.ts';
import { JsonText } from '../../http/respond.ts';
import { findHistory } from '../record/queries.ts';
import type { GetHistory } from './contract.ts';

const defaultLimit = 50;
const latest = Number.MAX_SAFE_INTEGER;
const position = once(() => z.tuple([z.number(), z.string()]));

type Query = QueryOf<typeof GetHistory>;

/** Where the page begins: at its cursor, but not after the last requested date. */
const startOfHistory = (deps: Deps, { cursor, to }: Query): readonly [number, string] => {
  const end = to === undefined ? latest : deps.clinicTime.startOf(deps.clinicTime.addDays(to, 1));
  if (cursor === undefined) return [end, ''];
  const [startsAt, id] = decodeCursor(cursor, position);
  return startsAt < end ? [startsAt, id] : [end, ''];
};

/** The read of one page of the bookings of an account and its family, and one row more to tell whether another page follows. */
export const historyRead = (deps: Deps, accountId: string, query: Query) => {
  const [beforeStart, beforeId] = startOfHistory(deps, query);
  return findHistory(deps.db, {
    accountId,
    patientId: query.patient_id ?? null,
    beforeStart,
    beforeId,
    fromInstant: query.from === undefined ? 0 : deps.clinicTime.startOf(query.from),
    status: query.status ?? null,
    doctorId: query.doctor_id ?? null,
    limit: (query.limit ?? defaultLimit) + 1,
  });
};

type Rows = ReturnType<typeof findHistory>['_']['result'];

const split = (text: string | null | undefined, by: string): string[] => text?.split(by) ?? [];

export const historyPage = ([page]: Rows, { limit = defaultLimit }: Query) => {
  const lines = split(page?.lines, '\n');
  const hasNext = lines.length > limit;
  if (hasNext) lines.length = limit;
  const data = new JsonText(`[${lines.join()}]`);
  if (!hasNext) return { data, nextCursor: null };
  const { id } = JSON.parse(lines.at(-1) ?? '');
  return { data, nextCursor: encodeCursor([Number(split(page?.starts, ',')[limit - 1]), id]) };
};
