import { and, eq, gt, lte, type SQL, sql } from 'drizzle-orm';
import { dayMs } from '../clinic/durations.ts';
import { violatedUnique } from '../db/conflict.ts';
import { type Db, run } from '../db/db.ts';
import { insertFromRow } from '../db/from-row.ts';
import { type Named, type Row, rowStatement, statement } from '../db/statement.ts';
import { rowIsRecorded } from '../tables/accounts.ts';
import { replays } from '../tables/idempotency.ts';
import { RequestRepeated, type StoredResponse } from './key.ts';

/** The response stored under a person's idempotency key, unless it has expired. */
export const findReplay = statement((db, named: Named<'userId' | 'key' | 'now'>) =>
  db
    .select({ fingerprint: replays.fingerprint, status: replays.status, body: replays.body })
    .from(replays)
    .where(
      and(
        eq(replays.userId, named('userId')),
        eq(replays.key, named('key')),
        gt(replays.expiresAt, named('now')),
      ),
    ),
);

export const storedResponseTtlMs = dayMs;

/** A response takes the place of one that has expired under the same key. */
export const overExpired = {
  target: [replays.userId, replays.key],
  set: {
    fingerprint: sql`excluded.fingerprint`,
    status: sql`excluded.status`,
    body: sql`excluded.body`,
    createdAt: sql`excluded.created_at`,
    expiresAt: sql`excluded.expires_at`,
  },
};

/** No response is stored under the key of the row `r`, so the request is not a repeat; true without a key. */
export const isFirstRequest: SQL = sql`(r.key is null or not exists (select 1 from replays p
  where p.user_id = r.actor_id and p.key = r.key and p.expires_at > r.now))`;

// Only the database knows the medical record number before the write; it is put where the body already names one.
const withRecordNumber = sql`case when r.patient_id is null then r.body else json_replace(r.body,
  '$.data.medical_record_number', (select p.medical_record_number from patients p where p.id = r.patient_id)) end`;

const responseColumns = [
  'writeId',
  'userId',
  'key',
  'fingerprint',
  'status',
  'body',
  'now',
  'expiresAt',
  'patientId',
] as const;

const insertResponse = (db: Db, row: Row<(typeof responseColumns)[number]>) =>
  insertFromRow(db, replays, row, sql`from r where ${rowIsRecorded}`, {
    body: withRecordNumber,
    createdAt: sql`r.now`,
  });

const storeResponseOfEvent = rowStatement(responseColumns, (db, row) =>
  insertResponse(db, row).onConflictDoUpdate(overExpired),
);

const storeOnlyResponse = rowStatement(responseColumns, (db, row) => insertResponse(db, row));

const forgetExpired = statement((db, named: Named<'userId' | 'key' | 'now'>) =>
  db
    .delete(replays)
    .where(
      and(
        eq(replays.userId, named('userId')),
        eq(replays.key, named('key')),
        lte(replays.expiresAt, named('now')),
      ),
    ),
);

/** An event of the change in whose batch a response is stored. */
interface Recorded {
  writeId: string;
  actorId: string;
  now: number;
}

const responseRow = (
  { writeId, actorId, now }: Recorded,
  { idempotency, status, body }: StoredResponse,
  patientId: string | null,
) => ({
  writeId,
  userId: actorId,
  ...idempotency,
  status,
  body: JSON.stringify(body),
  now,
  expiresAt: now + storedResponseTtlMs,
  patientId,
});

/** Stores a response for a repeat of its request, in the batch of the change that recorded this event. */
export const storeResponse = (
  db: Db,
  recorded: Recorded,
  response: StoredResponse | null,
  { patientId = null }: { patientId?: string | null } = {},
) => (response === null ? [] : [storeResponseOfEvent(db, responseRow(recorded, response, patientId))]);

/**
 * The same for a change that is not guarded by `isFirstRequest`: if a response is under the key already, the whole
 * batch fails, with an error that `isRepeat` knows. It belongs at the end of the batch.
 */
export const storeOnly = (db: Db, recorded: Recorded, response: StoredResponse | null) => {
  if (response === null) return [];
  const { actorId: userId, now } = recorded;
  const { key } = response.idempotency;
  return [
    forgetExpired(db, { userId, key, now }),
    storeOnlyResponse(db, responseRow(recorded, response, null)),
  ] as const;
};

/** Whether a batch failed because the same request has been answered in the meantime. */
export const isRepeat = (error: unknown): boolean => violatedUnique(error) === 'replays.user_id, replays.key';

/** Throws `RequestRepeated` if a response is under the key: for a change that its own repeat finds impossible. */
export const assertNotRepeated = async (
  db: Db,
  { actorId: userId, now }: Pick<Recorded, 'actorId' | 'now'>,
  response: StoredResponse | null,
): Promise<void> => {
  if (response === null) return;
  const [stored] = await run(db, findReplay(db, { userId, key: response.idempotency.key, now }));
  if (stored !== undefined) throw new RequestRepeated();
};
