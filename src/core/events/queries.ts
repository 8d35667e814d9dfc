import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db/db.ts';
import { insertFromRow } from '../db/from-row.ts';
import { type Row, rowStatement, rowsStatement } from '../db/statement.ts';
import { isRecordedNow } from '../tables/accounts.ts';
import { bookingEvents } from '../tables/webhooks.ts';
import type { EventType } from '../tables/words.ts';

/** The types of events about anything but a booking. */
export type SubjectEventType = Exclude<EventType, `booking.${string}`>;

/** Something that happened to a patient, a closure or a queue, for receivers of webhooks. */
export interface SubjectEvent {
  /** Made before the write; a repeat of it is written once. */
  writeId: string;
  type: SubjectEventType;
  /** The subject of the event. The events of one subject are delivered in order. */
  subjectId: string;
  actorId: string | null;
  actorRole: (typeof bookingEvents.$inferInsert)['actorRole'];
  requestId: string;
  now: number;
  /** Ids, times and states: never a name, a note or a number of a person. */
  data: Readonly<Record<string, string | number | null>>;
}

const columns = [
  'writeId',
  'type',
  'subjectId',
  'actorId',
  'actorRole',
  'requestId',
  'now',
  'payload',
] as const;

const nextVersion = sql`(select 1 + coalesce(max(v.version), 0) from booking_events v where v.booking_id = r.subject_id)`;

/** A patient's event also has what other systems keep with the record; a patch of null leaves a member out. */
const withExternal = (payload: SQL): SQL => sql`case when r.type like 'patient.%' then json_patch(${payload},
  coalesce((select json_object('external_id', p.external_id, 'metadata', json(p.metadata)) from patients p
  where p.id = r.subject_id and coalesce(p.external_id, p.metadata) is not null), '{}')) else ${payload} end`;

/** The columns of an event that the service itself causes: of the booking `b`, by the request of the row `r`. */
export const systemEvent = (type: EventType, writeId = sql`b.write_id`) => ({
  sequence: sql`null`,
  writeId,
  bookingId: sql`b.id`,
  version: sql`b.version`,
  type: sql.raw(`'${type}'`),
  actorRole: sql`'system'`,
  requestId: sql`r.request_id`,
  occurredAt: sql`r.now`,
});

const insertWhereAudited = (db: Db, row: Row<(typeof columns)[number]>) =>
  insertFromRow(
    db,
    bookingEvents,
    row,
    sql`from r where ${isRecordedNow} and not exists (select 1 from booking_events w where w.booking_id = r.subject_id
        and w.write_id = r.write_id)`,
    {
      sequence: sql`null`,
      bookingId: sql`r.subject_id`,
      version: nextVersion,
      occurredAt: sql`r.now`,
      payload: withExternal(sql`json_set(r.payload, '$.version', ${nextVersion})`),
    },
  );

const whereAudited = rowStatement(columns, insertWhereAudited);
const allWhereAudited = rowsStatement(columns, insertWhereAudited);

const toEventRow = ({ data, ...event }: SubjectEvent) => ({ ...event, payload: JSON.stringify(data) });

/**
 * Records an event in the batch of its change, after the statement that records the audit event of the same `writeId`, and
 * only if that did. Call `deps.eventsWritten()` after the batch is committed, so that it is delivered at once.
 */
export const recordSubjectEventIfAudited = (db: Db, event: SubjectEvent) =>
  whereAudited(db, toEventRow(event));

/** The same of several subjects in one statement, each of them once. */
export const recordSubjectEventsIfAudited = (db: Db, events: readonly SubjectEvent[]) =>
  allWhereAudited(db, events.map(toEventRow));
