import { runAll } from '../../../core/db/db.ts';
import { decideAgain, overtaken } from '../../../core/db/decide-again.ts';
import { assertNotRepeated } from '../../../core/idempotency/queries.ts';
import type { AnyActor } from '../../auth/context.ts';
import { findClinic } from '../../catalog/slots/queries.ts';
import { changed, eventTypeByVerb, findDecidedLead, withCancelLead } from '../changes/change.ts';
import { changeTo, commitChanges } from '../changes/effects.ts';
import { changeVersions, explainChanges, stateColumns } from '../changes/queries.ts';
import type { ActingContext } from '../record/context.ts';
import type { SeenBooking } from '../record/queries.ts';
import { mayDo, maySee, partyOfActor } from '../record/rules.ts';
import { computeFacts } from '../record/views.ts';
import { toWriter } from '../seats/guards.ts';
import { offerFreed } from '../seats/offers.ts';
import { refuseActor } from '../seats/refusal.ts';
import { findSeries } from './queries.ts';

/** Those that have not begun, and whose patient is not there yet. */
const isToCome = (row: SeenBooking, now: number): boolean =>
  row.status !== 'canceled' && row.startsAt > now && row.checkedInAt === null;

/**
 * Cancels the future bookings of a series in one guarded step, except those that a patient is too late to cancel.
 * Decides again if one of them changed meanwhile.
 */
export const cancelSeries = async (
  asked: ActingContext<AnyActor>,
  seriesId: string,
  input: { reason?: string | undefined },
  first: readonly SeenBooking[],
) => {
  const { deps, actor, now, toStoredResponse } = asked;
  const { db } = deps;
  let context = asked;
  let latest = first;
  return decideAgain(async () => {
    const facts = computeFacts(context);
    const coming = latest.filter((row) => maySee(row, actor) && isToCome(row, now));
    const canceled = coming.flatMap((row) => {
      const party = partyOfActor(row, actor) ?? 'patient';
      if (!mayDo('cancel', party, row, facts)) return [];
      return [{ row, party, next: changed(context, 'cancel', row, party, input) }];
    });
    const gone = new Set(canceled.map(({ row }) => row.id));
    const data = coming.map((row) => ({
      booking_id: row.id,
      schedule_date: row.scheduleDate,
      schedule_time: row.scheduleTime,
      result: gone.has(row.id) ? ('canceled' as const) : ('kept' as const),
    }));
    const response = toStoredResponse({ status: 200, data });
    const key = response?.idempotency.key ?? null;
    const [change, ...others] = canceled.map(({ row, party, next }) =>
      changeTo(context, eventTypeByVerb.cancel, party, row, next),
    );
    if (change === undefined) {
      // The same request may have canceled them a moment ago: then its answer is this one's too.
      await assertNotRepeated(db, { actorId: actor.userId, now }, response);
      return data;
    }
    const rows = canceled.map(({ row, party, next }) => ({
      ...toWriter(context, { id: row.id, writeId: next.writeId, key }),
      version: row.version,
      startsAt: row.startsAt,
      decidedLead: findDecidedLead(context, party),
      ...stateColumns.valuesOf(next),
    }));
    const [why] = await commitChanges(
      deps,
      [changeVersions(db, rows), ...canceled.flatMap(({ row, next }) => offerFreed(context, row, next))],
      [change, ...others],
      response,
      explainChanges(db, rows),
    );
    if (why?.written) return data;
    if (why !== undefined) refuseActor(why);
    const {
      found,
      clinic: [clinic],
    } = await runAll(db, {
      found: findSeries(db, { id: seriesId, accountId: actor.userId }),
      clinic: findClinic(db, {}),
    });
    latest = found;
    context = withCancelLead(asked, clinic);
    return overtaken;
  });
};
