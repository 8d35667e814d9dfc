import { clearOfPatients } from '../../../core/archive/archive.ts';
import { recognisesRepeat, run, runAll } from '../../../core/db/db.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { refusedToken } from '../../../core/endpoint/refused-token.ts';
import { reportsToBpjs } from '../../../core/settings/config.ts';
import { eventRow, toAuthor } from '../../auth/audit/queries.ts';
import type { AuthenticatedContext } from '../../auth/context.ts';
import { parseOwner } from '../../auth/owner.ts';
import { forgetAttempts } from '../../auth/throttle/forget.ts';
import { removeBelongings } from './belongings-queries.ts';
import {
  cancelComing,
  clearBookings,
  clearExternalEvents,
  clearRecords,
  clearReplays,
  explainErasure,
  findErased,
  markMerged,
  markRecords,
  planCancellations,
  recordCancellations,
  recordErasure,
  recordPatientsGone,
  removeEmptyRecords,
} from './queries.ts';

/** The person to delete: an account and the record of its person have the same id. */
interface Person {
  personId: string;
  /** The e-mail of the login; null for a record without one. */
  email: string | null;
}

/** All statements of a deletion, in an order in which each still finds the rows that it needs. */
const buildStatements = async (
  context: AuthenticatedContext,
  { personId, email }: Person,
  byClinic: boolean,
  writeId: string,
) => {
  const { deps, actor, now } = context;
  const { db } = deps;
  const { requestId, actorId, deviceLoginId } = toAuthor(context);
  const event = eventRow({
    writeId,
    type: byClinic ? 'patient_deleted' : 'account_deleted',
    userId: personId,
    actorId,
    deviceLoginId,
    requestId,
    now,
    detail: byClinic ? { patient_id: personId } : { role: actor.role },
  });
  const decided = { personId, byClinic: byClinic ? 1 : 0, today: deps.clinicTime.dateOf(now) };
  const ids = { personId, writeId };
  const { BPJS: family = 'rs' } = deps.config;
  return {
    event: recognisesRepeat(recordErasure(db, { ...event, ...decided })),
    why: explainErasure(db, { ...decided, writeId }),
    records: markRecords(db, ids),
    merged: markMerged(db, { writeId }),
    canceled: cancelComing(db, { ...ids, now }),
    cancellations: recordCancellations(db, { ...ids, now, requestId }),
    steps: reportsToBpjs(deps.config) ? [planCancellations(db, { ...ids, now, family })] : [],
    bookings: clearBookings(db, { writeId }),
    external: clearExternalEvents(db, { writeId }),
    answers: clearReplays(db, { writeId, since: 0 }),
    patients: recordPatientsGone(db, { writeId, now, actorId, actorRole: actor.role, requestId }),
    belongings: removeBelongings(db, ids),
    cleared: clearRecords(db, { writeId, now }),
    removed: removeEmptyRecords(db, { writeId }),
    attempts: await forgetAttempts(deps, { personId, email, writeId }),
  };
};

type Explained = ReturnType<typeof explainErasure>['_']['result'][number];

const explainRefusal = (why: Explained | undefined, byClinic: boolean): Failure => {
  if (why?.underWay) return new Failure('visit_under_way');
  if (byClinic) return new Failure(why?.worksHere ? 'patient_works_here' : 'not_found');
  return why?.lastAdmin ? new Failure('last_admin') : refusedToken();
};

/**
 * Deletes a person in one atomic step: the account, all data of its person, and family members without another account.
 * A booking made at the same time is refused by its guards, or canceled with the others.
 */
const erase = async (context: AuthenticatedContext, person: Person, byClinic: boolean): Promise<void> => {
  const { deps } = context;
  const writeId = deps.newId();
  const {
    why: [why],
  } = await runAll(deps.db, await buildStatements(context, person, byClinic, writeId));
  if (!why?.recorded) throw explainRefusal(why, byClinic);
  deps.eventsWritten();
  if (deps.archive !== undefined) {
    const erased = await run(deps.db, findErased(deps.db, { writeId }));
    await clearOfPatients(deps.archive, [person.personId, ...erased.map(({ id }) => id)]);
  }
  await deps.emptyLog?.('now');
};

/** Deletes the caller's own account. */
export const deleteAccount = (context: AuthenticatedContext): Promise<void> =>
  erase(context, { personId: context.actor.userId, email: parseOwner(context.login).email }, false);

/** Deletes a patient's record for the clinic, with the account that it may have. */
export const deletePatient = (
  context: AuthenticatedContext,
  { id, accountEmail }: { id: string; accountEmail: string | null },
): Promise<void> => erase(context, { personId: id, email: accountEmail }, true);
