import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../core/db/db.ts';
import { insertFromRow } from '../../../core/db/from-row.ts';
import { type Named, rowStatement, statement } from '../../../core/db/statement.ts';
import { isRecorded, isRecordedNow, securityEvents } from '../../../core/tables/accounts.ts';
import type { ActorKind, SecurityEventType } from '../../../core/tables/words.ts';
import { type Author, fieldsIn } from './rules.ts';

export interface SecurityEvent {
  /** Generated before the write, so that a retry does not record the event twice. */
  writeId: string;
  type: SecurityEventType;
  /** The affected account; null if no account has the e-mail. */
  userId: string | null;
  actorId?: string | null;
  /** An API key acts under this role. */
  role?: Author['role'];
  /** Of what kind the actor is: an account unless set, or an API key by its role. */
  actorKind?: ActorKind;
  deviceLoginId?: string | null;
  network?: string | null;
  requestId?: string | null;
  now: number;
  /** Ids, roles and counts: never a secret, a name or an address. */
  detail?: Readonly<Record<string, string | number | null>>;
  /** The patient whose record it is about: the `patient_id` of the detail unless set. */
  patientId?: string | null;
  /** Method and path of the request, for a read. */
  route?: string;
}

const columns = [
  'writeId',
  'type',
  'userId',
  'actorId',
  'deviceLoginId',
  'network',
  'requestId',
  'now',
  'detail',
  'actorKind',
  'ofPatient',
  'route',
] as const;

const patientIn = (detail: SecurityEvent['detail']): string | null => {
  const id = detail?.patient_id;
  return typeof id === 'string' ? id : null;
};

/** The values of an event for a statement of `securityEventWhen`. */
export const eventRow = (event: SecurityEvent) => ({
  writeId: event.writeId,
  type: event.type,
  userId: event.userId,
  actorId: event.actorId ?? null,
  deviceLoginId: event.deviceLoginId ?? null,
  network: event.network ?? null,
  requestId: event.requestId ?? null,
  now: event.now,
  detail: event.detail === undefined ? null : JSON.stringify(event.detail),
  actorKind: event.role === 'api_key' ? 'api_key' : (event.actorKind ?? 'account'),
  // Not `patientId`: some guards have a value of this name.
  ofPatient: event.patientId ?? patientIn(event.detail),
  route: event.route ?? null,
});

/**
 * Makes a statement that records an event if `guard` is true: a condition on the row `r`, whose columns are the event's
 * values and those named in `more`; `found` are values that only the database knows. It belongs in the same batch as
 * the change that it records.
 */
export const securityEventWhen = <const K extends string = never>(
  guard: SQL,
  more: readonly K[] = [],
  found: { [C in 'userId' | 'deviceLoginId' | 'detail' | 'patientId']?: SQL } = {},
) =>
  rowStatement([...columns, ...more], (db, row) =>
    insertFromRow(db, securityEvents, row, sql`from r where ${guard} and not ${isRecordedNow}`, {
      // Also after the last block: deleting lines by hand must not free their sequence numbers.
      sequence: sql`1 + max(coalesce((select max(n.sequence) from security_events n), 0),
          coalesce((select max(b.last_sequence) from audit_blocks b), 0))`,
      occurredAt: sql`r.now`,
      patientId: sql`r.of_patient`,
      ...found,
    }).onConflictDoNothing(),
  );

const always = securityEventWhen(sql`true`);

/** Records an event without a condition. */
export const recordSecurityEvent = (db: Db, event: SecurityEvent) => always(db, eventRow(event));

/** One row if the event of this write was recorded. */
export const findRecorded = statement((db, named: Named<'writeId'>) =>
  db
    .select({ writeId: sql<string>`w.id`.as('write_id') })
    .from(sql`(select ${named('writeId')} as id) w`)
    .where(isRecorded(sql`w.id`)),
);

const whereChanged = securityEventWhen(sql`changes() > 0`);

/** Records an event if the statement right before it in the batch changed a row. */
export const recordIfChanged = (db: Db, event: SecurityEvent) => whereChanged(db, eventRow(event));

/** The event of an admin's change to the clinic's data, not to an account; of `given` only the field names are recorded. */
export const changeEvent = (
  { newId }: { newId: () => string },
  author: Author,
  type: SecurityEvent['type'],
  detail: NonNullable<SecurityEvent['detail']>,
  given?: Readonly<Record<string, unknown>>,
): SecurityEvent & { actorId: string } => ({
  writeId: newId(),
  type,
  userId: null,
  ...author,
  detail: { ...detail, ...(given !== undefined && { fields: fieldsIn(given) }) },
});

/** The author of a request for the audit trail. */
export const toAuthor = ({
  actor,
  requestId,
  now,
}: {
  actor: { userId: string } & Pick<Author, 'deviceLoginId' | 'role'>;
  requestId: string;
  now: number;
}): Author => ({
  actorId: actor.userId,
  role: actor.role,
  deviceLoginId: actor.deviceLoginId,
  requestId,
  now,
});
