import { run, runAll } from '../core/db/db.ts';
import type { Deps } from '../core/deps.ts';
import { eventRow } from '../modules/auth/audit/queries.ts';
import { removeBelongings } from '../modules/patients/erasure/belongings-queries.ts';
import {
  clearReplays,
  markMerged,
  recordPatientsGone,
  removeEmptyRecords,
} from '../modules/patients/erasure/queries.ts';
import {
  findOld,
  markForgotten,
  recordForgotten,
  removeAnswers,
  removeBookings,
  removeDeliveries,
  removeEvents,
  removeNobodys,
} from './old-bookings-queries.ts';
import { sweepMs } from './retention.ts';

/** How many bookings one step removes, with everything recorded about them: few enough that no request has to wait. */
const bookingsAStep = 100;
/** How many steps one round may take: each has some thirty statements, and an invocation on Workers a thousand in all. */
const maxSteps = 4;

type Old = ReturnType<typeof findOld>['_']['result'];

/** One atomic step: bookings with their events, and the records that nothing belongs to any more. */
const removeStep = async ({ db, clinicTime, newId }: Deps, now: number, old: Old): Promise<void> => {
  const [first] = old;
  if (first === undefined) return;
  const { cutoff } = first;
  const these = { ids: JSON.stringify(old.map(({ id }) => id)), cutoff };
  const patients = JSON.stringify([...new Set(old.map(({ patientId }) => patientId))]);
  const forgotten = { patients, until: clinicTime.startOf(cutoff) };
  const [writeId, requestId] = [newId(), newId()];
  const event = eventRow({
    writeId,
    type: 'patient_deleted',
    userId: null,
    requestId,
    now,
    detail: { reason: 'retention' },
  });
  await runAll(db, [
    removeDeliveries(db, these),
    removeEvents(db, these),
    removeAnswers(db, these),
    removeBookings(db, these),
    recordForgotten(db, { ...event, ...forgotten }),
    markForgotten(db, { writeId, ...forgotten }),
    markMerged(db, { writeId }),
    clearReplays(db, { writeId, since: 0 }),
    recordPatientsGone(db, { writeId, now, actorId: null, actorRole: 'system', requestId }),
    ...removeBelongings(db, { personId: '', writeId }),
    removeEmptyRecords(db, { writeId }),
    removeNobodys(db, { patients }),
  ]);
};

/**
 * Removes bookings older than the clinic's retention, step by step, until none is due or the round's time is over. The
 * next round removes the rest.
 */
export const removeOldBookings = async (deps: Deps, now: number, signal?: AbortSignal): Promise<void> => {
  const { db, clock, clinicTime, config } = deps;
  const until = clock() + sweepMs;
  const due = { today: clinicTime.dateOf(now), years: config.RETENTION_YEARS ?? null, limit: bookingsAStep };
  let removed = 0;
  for (let steps = 0; steps < maxSteps && clock() < until && !signal?.aborted; steps++) {
    const old = await run(db, findOld(db, due));
    if (old.length === 0) break;
    await removeStep(deps, now, old);
    removed += old.length;
  }
  if (removed === 0) return;
  deps.log.info('old bookings removed', { bookings: removed });
  deps.eventsWritten();
  await deps.emptyLog?.('now');
};
