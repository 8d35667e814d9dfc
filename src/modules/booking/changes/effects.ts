import { type SQL, sql } from 'drizzle-orm';
import {
  type Db,
  recognisesRepeat,
  rowsWritten,
  runAll,
  type Statement,
  type Written,
} from '../../../core/db/db.ts';
import { insertFromRow } from '../../../core/db/from-row.ts';
import { type Row, rowStatement, rowsStatement } from '../../../core/db/statement.ts';
import type { Deps } from '../../../core/deps.ts';
import type { StoredResponse } from '../../../core/idempotency/key.ts';
import { overExpired, storedResponseTtlMs } from '../../../core/idempotency/queries.ts';
import { queues } from '../../../core/tables/bookings.ts';
import { replays } from '../../../core/tables/idempotency.ts';
import { bookingEvents } from '../../../core/tables/webhooks.ts';
import { insertSteps } from '../../exchange/outbox/queries.ts';
import { listSteps, type PlannedStep } from '../../exchange/outbox/steps.ts';
import { listTargets } from '../../exchange/outbox/targets.ts';
import type { ActingContext } from '../record/context.ts';
import type { BookingRow } from '../record/queries.ts';
import type { ActingRole, Party } from '../record/rules.ts';
import { type EventRow, eventPayload } from '../record/views.ts';
import { notWrittenFor } from '../seats/guards.ts';

/** The actor, the booking, and the change. */
export interface Change {
  bookingId: string;
  /** Made before the change is written, and unique to it. */
  writeId: string;
  actorId: string | null;
  actorRole: (typeof bookingEvents.$inferInsert)['actorRole'];
  requestId: string;
  now: number;
  type: (typeof bookingEvents.$inferInsert)['type'];
  /** The booking after the change, in the event's form. */
  payload: object;
  /** Whether the change may have taken a queue number. */
  takesTicket: boolean;
  /** What it reports to the health systems that are switched on. */
  steps: readonly PlannedStep[];
}

const takingTickets = new Set<Change['type']>(['booking.created', 'booking.rescheduled', 'booking.accepted']);

const toActingRole = (party: Party, role: ActingRole): ActingRole => (party === 'patient' ? 'patient' : role);

/** The change of a booking (a new one if there is no earlier state) to its next state, with its event. */
export const changeTo = (
  { deps, actor, now, requestId }: ActingContext,
  type: Change['type'],
  party: Party,
  before: BookingRow | null,
  next: EventRow,
): Change => ({
  bookingId: next.id,
  writeId: next.writeId,
  actorId: actor.userId,
  actorRole: toActingRole(party, actor.role),
  requestId,
  now,
  type,
  payload: eventPayload(
    next,
    toActingRole(party, actor.role),
    type === 'booking.rescheduled' ? before : null,
  ),
  takesTicket: takingTickets.has(type),
  steps: listSteps(listTargets(deps.config), before, next),
});

// Only the database knows number and label, and whether the seat lies beyond the capacity, so they are inserted into
// the prepared JSON when the row is written.
const withFacts = (text: SQL, at: '$' | '$.data') =>
  sql`json_replace(${text}, ${sql.raw(`'${at}.queue_number'`)}, cast(b.queue_number as integer),
    ${sql.raw(`'${at}.queue_label'`)}, b.queue_label,
    ${sql.raw(`'${at}.overbooked'`)}, json(case b.overbooked when 1 then 'true' else 'false' end))`;

/** Only if the change has no event yet: a batch that is repeated after a lost answer does nothing. */
export const notRecorded = sql`where ${notWrittenFor(sql`b.id`)}`;

const fromChanged = sql`from r join bookings b on b.id = r.booking_id and b.write_id = r.write_id`;
const changedBooking = sql`${fromChanged} ${notRecorded}`;

const raiseQueueFrom = (db: Db, row: SQL) =>
  insertFromRow(db, queues, row, changedBooking, {
    doctorId: sql`b.doctor_id`,
    scheduleDate: sql`b.schedule_date`,
    sessionId: sql`b.session_id`,
    lastNumber: sql`b.queue_number`,
  }).onConflictDoUpdate({
    target: [queues.doctorId, queues.scheduleDate, queues.sessionId],
    set: { lastNumber: sql`max(last_number, excluded.last_number)` },
  });

const raiseQueue = rowStatement(['bookingId', 'writeId'], raiseQueueFrom);
const raiseQueues = rowsStatement(['bookingId', 'writeId'], raiseQueueFrom);

export const replayRow = ['writeId', 'userId', 'key', 'fingerprint', 'status', 'now', 'expiresAt'] as const;

const storeReplay = rowStatement(['bookingId', ...replayRow, 'body'], (db, row) =>
  insertFromRow(db, replays, row, changedBooking, {
    body: withFacts(sql`r.body`, '$.data'),
    createdAt: sql`r.now`,
  }).onConflictDoUpdate(overExpired),
);

/** The columns of an event that are not in a row with `eventRow`. */
export const eventWith = (payload: SQL) => ({
  sequence: sql`null`,
  bookingId: sql`b.id`,
  version: sql`b.version`,
  occurredAt: sql`r.now`,
  payload,
});

export const eventRow = ['writeId', 'type', 'actorId', 'actorRole', 'requestId', 'now'] as const;

const recordEventFrom = (db: Db, row: Row<(typeof eventRow)[number]>) =>
  insertFromRow(db, bookingEvents, row, changedBooking, eventWith(withFacts(sql`r.payload`, '$')));

const recordEvent = rowStatement(['bookingId', ...eventRow, 'payload'], recordEventFrom);
const recordEvents = rowsStatement(['bookingId', ...eventRow, 'payload'], recordEventFrom);

/** The change of the slot that was taken, where several were asked for. */
const recordEventOfTaken = rowsStatement(
  ['bookingId', 'startsAt', 'doctorId', ...eventRow, 'payload'],
  (db, row) =>
    insertFromRow(
      db,
      bookingEvents,
      row,
      sql`${changedBooking} and b.starts_at = r.starts_at and b.doctor_id = r.doctor_id`,
      eventWith(withFacts(sql`r.payload`, '$')),
    ),
);
const planStepsOfTaken = rowsStatement(['bookingId', 'writeId', 'startsAt', 'doctorId', 'steps'], (db, row) =>
  insertSteps(
    db,
    row,
    fromChanged,
    sql`${notRecorded} and b.starts_at = r.starts_at and b.doctor_id = r.doctor_id`,
  ),
);

const planStepsFrom = (db: Db, row: SQL) => insertSteps(db, row, fromChanged, notRecorded);
const planSteps = rowStatement(['bookingId', 'writeId', 'steps'], planStepsFrom);
const planStepsOfAll = rowsStatement(['bookingId', 'writeId', 'steps'], planStepsFrom);

const replayToStore = (db: Db, change: Change, { idempotency, status, body }: StoredResponse) =>
  storeReplay(db, {
    bookingId: change.bookingId,
    writeId: change.writeId,
    userId: change.actorId,
    ...idempotency,
    status,
    body: JSON.stringify(body),
    now: change.now,
    expiresAt: change.now + storedResponseTtlMs,
  });

const writtenBy = ({ bookingId, writeId }: Change) => ({ bookingId, writeId });

const toEvent = (change: Change) => ({
  ...writtenBy(change),
  type: change.type,
  actorId: change.actorId,
  actorRole: change.actorRole,
  requestId: change.requestId,
  now: change.now,
  payload: JSON.stringify(change.payload),
});

const toPlan = (change: Change) => ({ ...writtenBy(change), steps: JSON.stringify(change.steps) });

/**
 * Statements that follow a change of a booking: the counter of its queue, the response stored for a repeated request,
 * what the health systems are to be sent, and last the event. Each does nothing if the change did not happen or is already recorded.
 */
const buildEffects = (db: Db, change: Change, response: StoredResponse | null) =>
  [
    ...(change.takesTicket ? [raiseQueue(db, writtenBy(change))] : []),
    ...(response === null ? [] : [replayToStore(db, change, response)]),
    ...(change.steps.length === 0 ? [] : [planSteps(db, toPlan(change))]),
    // Last, because every other statement first checks that no event with this write id exists.
    recognisesRepeat(recordEvent(db, toEvent(change))),
  ] as const;

/**
 * Commits a guarded change with its effects in one atomic step, and returns the explanation: whether the change was
 * written and, if not, why. Every event of a booking is written here, and wakes the deliverer of webhooks.
 */
export const commitChange = async <W extends { written: unknown }>(
  { db, eventsWritten }: Pick<Deps, 'db' | 'eventsWritten'>,
  guarded: readonly Statement[],
  change: Change,
  response: StoredResponse | null,
  explanation: Statement<W[]>,
): Promise<W | undefined> => {
  const {
    why: [why],
  } = await runAll(db, { guarded, effects: buildEffects(db, change, response), why: explanation });
  if (why?.written) eventsWritten();
  return why;
};

/**
 * Commits a new booking with its effects in one atomic step, between the statements that make way for it and those that note it, and returns
 * whether this step wrote it. One that is not written may have been before, by a step whose answer was lost.
 */
export const commitNew = async (
  { db, eventsWritten }: Pick<Deps, 'db' | 'eventsWritten'>,
  before: readonly Statement[],
  insert: Statement<Written>,
  change: Change,
  response: StoredResponse | null,
  after: readonly Statement[] = [],
): Promise<boolean> => {
  const { inserted } = await runAll(db, {
    before,
    inserted: insert,
    after,
    effects: buildEffects(db, change, response),
  });
  const isWritten = rowsWritten(inserted) > 0;
  if (isWritten) eventsWritten();
  return isWritten;
};

/**
 * Commits the same change of several bookings in one atomic step: all of them, or none where their guarded statement
 * did nothing. The response is stored with the first; the explanation has a row for each.
 */
export const commitChanges = async <W extends { written: unknown }>(
  { db, eventsWritten }: Pick<Deps, 'db' | 'eventsWritten'>,
  guarded: readonly Statement[],
  changes: readonly [Change, ...Change[]],
  response: StoredResponse | null,
  explanation: Statement<W[]>,
): Promise<W[]> => {
  const { why } = await runAll(db, {
    guarded,
    queues: changes[0].takesTicket ? [raiseQueues(db, changes.map(writtenBy))] : [],
    response: response === null ? [] : [replayToStore(db, changes[0], response)],
    steps: changes.some(({ steps }) => steps.length > 0) ? [planStepsOfAll(db, changes.map(toPlan))] : [],
    events: recognisesRepeat(recordEvents(db, changes.map(toEvent))),
    why: explanation,
  });
  if (why.some(({ written }) => written)) eventsWritten();
  return why;
};

/** A change to one of the slots of which a booking takes the first free one. */
interface PossibleChange {
  startsAt: number;
  doctorId: string;
  change: Change;
}

/** Commits a new booking that takes the first free one of several slots, with the effects of that slot alone. */
export const commitFirst = async (
  { db, eventsWritten }: Pick<Deps, 'db' | 'eventsWritten'>,
  before: readonly Statement[],
  insert: Statement<Written>,
  possible: readonly [PossibleChange, ...PossibleChange[]],
): Promise<boolean> => {
  const [{ change: any }] = possible;
  const slotOf = ({ startsAt, doctorId }: PossibleChange) => ({ startsAt, doctorId });
  const { inserted } = await runAll(db, {
    before,
    inserted: insert,
    queue: raiseQueue(db, writtenBy(any)),
    steps:
      any.steps.length > 0
        ? [
            planStepsOfTaken(
              db,
              possible.map((one) => ({ ...slotOf(one), ...toPlan(one.change) })),
            ),
          ]
        : [],
    event: recognisesRepeat(
      recordEventOfTaken(
        db,
        possible.map((one) => ({ ...slotOf(one), ...toEvent(one.change) })),
      ),
    ),
  });
  const isWritten = rowsWritten(inserted) > 0;
  if (isWritten) eventsWritten();
  return isWritten;
};
