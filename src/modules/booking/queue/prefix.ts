import { runAll } from '../../../core/db/db.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { changeEvent, eventRow, toAuthor } from '../../auth/audit/queries.ts';
import type { AnyContext } from '../../auth/context.ts';
import { explainPrefix, recordPrefix, replacePrefix, takePrefix } from './prefix-queries.ts';

/** Gives a queue other letters. Its bookings keep the labels that they have. */
export const setPrefix = async (
  context: AnyContext,
  doctorId: string,
  { session_id: sessionId, prefix }: { session_id: string; prefix: string },
) => {
  const { deps, now } = context;
  const { db } = deps;
  const wanted = { doctorId, sessionId, prefix, today: deps.clinicTime.dateOf(now) };
  const detail = { doctor_id: doctorId, session_id: sessionId, prefix };
  const event = eventRow(changeEvent(deps, toAuthor(context), 'queue_prefix_set', detail));
  const { writeId } = event;
  const {
    why: [why],
  } = await runAll(db, {
    recorded: recordPrefix(db, { ...event, ...wanted }),
    replaced: replacePrefix(db, { doctorId, sessionId, writeId, now }),
    taken: takePrefix(db, { doctorId, sessionId, prefix, writeId }),
    why: explainPrefix(db, wanted),
  });
  if (!why?.isSession)
    throw new Failure('validation_failed', { issues: [{ path: 'session_id', rule: 'not_found' }] });
  if (!why.stands) throw new Failure('prefix_taken');
  return { doctor_id: doctorId, session_id: sessionId, prefix };
};
