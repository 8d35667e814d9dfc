import { sql } from 'drizzle-orm';
import { recognisesRepeat, runAll, type Statement } from '../../../core/db/db.ts';
import { insertFromRow } from '../../../core/db/from-row.ts';
import { rowStatement } from '../../../core/db/statement.ts';
import type { Deps } from '../../../core/deps.ts';
import type { StoredResponse } from '../../../core/idempotency/key.ts';
import { overExpired, storedResponseTtlMs } from '../../../core/idempotency/queries.ts';
import { replays } from '../../../core/tables/idempotency.ts';
import { bookingEvents } from '../../../core/tables/webhooks.ts';
import { insertSteps } from '../../exchange/outbox/queries.ts';
import { type Change, eventRow, eventWith, notRecorded, replayRow } from '../changes/effects.ts';

const fromChosen = sql`from r join bookings b on b.doctor_id = r.doctor_id and b.schedule_date = r.date
  and b.write_id = r.write_id`;
const chosenBooking = sql`${fromChosen} ${notRecorded}`;

const ofChoice = (member: string) => sql`json_extract(r.choices, '$."' || b.id || '".${sql.raw(member)}')`;

const chosenRow = ['doctorId', 'date', 'choices'] as const;

const storeChosen = rowStatement([...chosenRow, ...replayRow], (db, row) =>
  insertFromRow(db, replays, row, chosenBooking, {
    body: ofChoice('body'),
    createdAt: sql`r.now`,
  }).onConflictDoUpdate(overExpired),
);

const recordChosen = rowStatement([...chosenRow, ...eventRow], (db, row) =>
  insertFromRow(db, bookingEvents, row, chosenBooking, eventWith(ofChoice('payload'))),
);

const planChosen = rowStatement([...chosenRow, 'writeId'], (db, row) =>
  insertSteps(db, row, fromChosen, notRecorded, ofChoice('steps')),
);

/** A change of that one of a doctor's bookings of a date which the database chooses. */
interface Choice extends Omit<Change, 'bookingId' | 'payload' | 'takesTicket' | 'steps'> {
  doctorId: string;
  date: string;
  /**
   * By the booking's id, as JSON: its event's `payload`, the `body` that is stored for a repeat, and the `steps` that
   * the health systems are to be sent.
   */
  choices: string;
  hasSteps: boolean;
}

/** Commits the change of the booking that the guarded statement chose, with its effects, in one atomic step. */
export const commitChoice = async <W extends { bookingId: string | null }>(
  { db, eventsWritten }: Pick<Deps, 'db' | 'eventsWritten'>,
  guarded: Statement,
  choice: Choice,
  response: StoredResponse | null,
  explanation: Statement<W[]>,
): Promise<W | undefined> => {
  const { hasSteps, ...values } = choice;
  const { now, actorId } = values;
  const stored = response && { ...response.idempotency, status: response.status };
  const effects = [
    ...(stored
      ? [storeChosen(db, { ...values, ...stored, userId: actorId, expiresAt: now + storedResponseTtlMs })]
      : []),
    ...(hasSteps ? [planChosen(db, values)] : []),
    recognisesRepeat(recordChosen(db, values)),
  ];
  const {
    why: [why],
  } = await runAll(db, { guarded, effects, why: explanation });
  if (why !== undefined && why.bookingId !== null) eventsWritten();
  return why;
};
