import * as z from 'zod/mini';
import type { Deps } from '../../../core/deps.ts';
import { once } from '../../../core/endpoint/once.ts';
import { decodeCursor } from '../../../core/http/cursor.ts';
import { buildPage, defaultLimit } from '../../../core/http/page.ts';
import { findEventsInArchive } from '../record/archived.ts';
import { findEvents } from '../record/queries.ts';
import type { Party } from '../record/rules.ts';
import { GetBookingEvents } from './contract.ts';

interface Query {
  limit?: number | undefined;
  cursor?: string | undefined;
}

type Rows = ReturnType<typeof findEvents>['_']['result'];
type EventPayload = Record<string, unknown>;

const position = once(() => z.tuple([z.int().check(z.minimum(0))]));
const shownFields = [
  'status',
  'doctor_id',
  'session_id',
  'schedule_date',
  'schedule_time',
  'queue_number',
  'queue_label',
  'reason_code',
  'visit',
];

const readAfterVersion = ({ cursor }: Query): number =>
  cursor === undefined ? 0 : decodeCursor(cursor, position)[0];

/** One page of events, with the event before it, to compare with, and one more if another page follows. */
const readWanted = (query: Query) => {
  const afterVersion = readAfterVersion(query);
  const limit = (query.limit ?? defaultLimit) + 1 + (afterVersion > 0 ? 1 : 0);
  return { afterVersion: Math.max(0, afterVersion - 1), limit };
};

export const timelineRead = (deps: Deps, bookingId: string, query: Query) =>
  findEvents(deps.db, { bookingId, ...readWanted(query) });

/** The same of an archived booking. */
export const archivedTimeline = (deps: Deps, bookingId: string, query: Query) => {
  const { afterVersion, limit } = readWanted(query);
  return findEventsInArchive(deps, bookingId, afterVersion, limit);
};

const changesBetween = (before: EventPayload, after: EventPayload) => {
  const differing = shownFields.filter((name) => (before[name] ?? null) !== (after[name] ?? null));
  return Object.fromEntries(
    differing.map((name) => [name, { from: before[name] ?? null, to: after[name] ?? null }]),
  );
};

/** The events of a page, each with its changes; only the clinic sees the actor. */
export const timelinePage = (rows: Rows, bookingId: string, query: Query, party: Party) => {
  const payloads = rows.map(({ payload }) => JSON.parse(payload) as EventPayload);
  const events = rows.map((row, at) => ({
    type: row.type,
    at: new Date(row.occurredAt).toISOString(),
    by: row.actorRole,
    by_name: party === 'clinic' ? row.actorName : null,
    version: row.version,
    changes: changesBetween(payloads[at - 1] ?? {}, payloads[at] ?? {}),
  }));
  const page = events.filter(({ version }) => version > readAfterVersion(query));
  const path = GetBookingEvents.path.replace('{id}', bookingId);
  return buildPage(page, path, query, ({ version }) => [version]);
};
