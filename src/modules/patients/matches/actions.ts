import { run, runAll } from '../../../core/db/db.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { RequestRepeated } from '../../../core/idempotency/key.ts';
import { storeResponse } from '../../../core/idempotency/queries.ts';
import { eventRow } from '../../auth/audit/queries.ts';
import { sendDueMail } from '../../auth/mail/send.ts';
import type { DeskContext } from '../desk/actions.ts';
import { mergeRecords } from '../merge/actions.ts';
import { explainMergeStep } from '../merge/queries.ts';
import { declineMatch, findMatch, type Match, recordDecline } from './queries.ts';
import { isOver } from './rules.ts';

/** Failures of a merge that mean that the record was given to somebody, or changed, before the desk decided. */
const overtakenBy = new Set(['patient_has_account', 'patient_merged']);

/** What became of a match whose merge was refused. */
const explainMerge = async ({ deps }: DeskContext, { id }: Match, failure: unknown): Promise<unknown> => {
  if (!(failure instanceof Failure)) return failure;
  if (overtakenBy.has(failure.code)) return new Failure('match_closed');
  if (failure.code !== 'unavailable') return failure;
  const [now] = await run(deps.db, findMatch(deps.db, { id }));
  if (now === undefined) return new Failure('not_found');
  return isOver(now) ? new Failure('match_closed') : failure;
};

/** Merges the record into the account's own. Throws `match_closed` where it is not this pair's any more. */
export const confirmRecord = async (context: DeskContext, match: Match) => {
  const { deps, by, toStoredResponse } = context;
  const { id, accountId, patientId, language } = match;
  const data = { id: accountId, merged_id: patientId };
  if (match.decision === 'confirmed' && match.settledAt !== null) return data;
  if (isOver(match)) throw new Failure('match_closed');
  try {
    await mergeRecords({
      deps,
      by,
      source: patientId,
      target: accountId,
      claimHash: null,
      match: { id, language },
      respond: async () => toStoredResponse({ status: 200, data }),
    });
  } catch (error) {
    throw await explainMerge(context, match, error);
  }
  deps.background(sendDueMail(deps));
  return data;
};

/** The pair is never offered again. Throws `match_closed` where it was confirmed. */
export const declineRecord = async ({ deps, by, toStoredResponse }: DeskContext, match: Match) => {
  const { db } = deps;
  const { actorId, now } = by;
  if (match.decision === 'declined') return;
  const writeId = deps.newId();
  const response = toStoredResponse({ status: 200 });
  const key = response?.idempotency.key ?? null;
  const detail = { patient_id: match.patientId };
  const event = eventRow({ writeId, type: 'match_declined', userId: match.accountId, ...by, detail });
  const ids = { writeId, matchId: match.id };
  const {
    why: [why],
    after: [after],
  } = await runAll(db, {
    recorded: recordDecline(db, { ...event, matchId: match.id, key }),
    why: explainMergeStep(db, { writeId, actorId, key, now }),
    declined: declineMatch(db, { ...ids, actorId, now }),
    stored: storeResponse(db, { writeId, actorId, now }, response),
    after: findMatch(db, { id: match.id }),
  });
  if (why?.recorded === 1 || after?.decision === 'declined') return;
  if (why?.repeated === 1) throw new RequestRepeated();
  throw new Failure(after === undefined ? 'not_found' : 'match_closed');
};
