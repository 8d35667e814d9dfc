import { assertDatesInOrder } from '../../../core/clinic/date-range.ts';
import { furthestDays } from '../../../core/clinic/rules.ts';
import { run, runAll } from '../../../core/db/db.ts';
import { decideAgain, overtaken } from '../../../core/db/decide-again.ts';
import type { Deps } from '../../../core/deps.ts';
import type { BodyOf } from '../../../core/endpoint/endpoint.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import type { FieldIssue } from '../../../core/endpoint/field-sentences.ts';
import { toIso } from '../../../core/endpoint/instants.ts';
import type { OutputOf } from '../../../core/endpoint/lazy-shape.ts';
import { RequestRepeated } from '../../../core/idempotency/key.ts';
import { assertNotRepeated, storeResponse } from '../../../core/idempotency/queries.ts';
import { changeEvent, eventRow, findRecorded, toAuthor } from '../../auth/audit/queries.ts';
import type { AnyContext } from '../../auth/context.ts';
import type { Bookable } from '../../patients/record/queries.ts';
import { ownOrFamily, patientOfClinic, wrongPatient } from '../seats/decision.ts';
import { declineOffer } from './accept.ts';
import type { JoinWaitlist, OrderWaitlist, WaitlistEntry } from './contract.ts';
import { putBefore, recordOrder } from './order-queries.ts';
import {
  endEntry,
  explainJoining,
  findEntry,
  findOffer,
  insertEntry,
  type Names,
  recordJoining,
  recordLeaving,
  type ShownEntry,
} from './queries.ts';

/** How much an account may wait for at a time, and for dates how far apart. */
const maxEntries = 10;
const longestDays = 92;

type View = OutputOf<typeof WaitlistEntry>;

const offerView = (text: string): View['offer'] => {
  const held = JSON.parse(text);
  return { ...held, ends_at: toIso(held.ends_at), held_until: toIso(held.held_until) };
};

type Shown = Pick<
  ShownEntry,
  | 'id'
  | 'patient'
  | 'sessionId'
  | 'sessionName'
  | 'doctorId'
  | 'doctorName'
  | 'fromDate'
  | 'toDate'
  | 'earliestTime'
  | 'latestTime'
  | 'createdAt'
  | 'endedAs'
  | 'offer'
>;

/** An entry as people see it. */
export const entryView = (row: Shown): View => ({
  id: row.id,
  patient: JSON.parse(row.patient),
  session_id: row.sessionId,
  session_name: row.sessionName,
  doctor_id: row.doctorId,
  doctor_name: row.doctorName,
  from: row.fromDate,
  to: row.toDate,
  earliest_time: row.earliestTime,
  latest_time: row.latestTime,
  created_at: toIso(row.createdAt),
  ended_as: row.endedAs,
  offer: row.offer === null ? null : offerView(row.offer),
});

type Input = BodyOf<typeof JoinWaitlist>;

const wrong = (...issues: FieldIssue[]) => new Failure('validation_failed', { issues });

const assertDates = (
  { clinicTime }: Deps,
  now: number,
  { from, to, earliest_time, latest_time }: Input,
): void => {
  assertDatesInOrder('validation_failed', { from, to });
  if (to < clinicTime.dateOf(now))
    throw wrong({ path: 'to', rule: 'not_before', limit: clinicTime.dateOf(now) });
  const furthest = clinicTime.addDays(clinicTime.dateOf(now), furthestDays);
  if (to > furthest) throw wrong({ path: 'to', rule: 'too_late', limit: furthest });
  if (to >= clinicTime.addDays(from, longestDays))
    throw wrong({ path: 'to', rule: 'range_days', limit: longestDays });
  if (earliest_time && latest_time && latest_time < earliest_time)
    throw wrong({ path: 'latest_time', rule: 'not_before', limit: earliest_time });
};

/** Whether the actor manages the waitlist for the clinic. */
export const isDesk = ({ role }: { role: string }): boolean =>
  role === 'staff' || role === 'admin' || role === 'api_key';

/** Adds an entry behind all others who wait for the session. */
export const joinWaitlist = async (
  context: AnyContext,
  input: Input,
  patient: Bookable | undefined,
  names: Names | undefined,
) => {
  const { deps, actor, now } = context;
  const { db } = deps;
  assertDates(deps, now, input);
  const { patient_id } = input;
  const whose = isDesk(actor)
    ? patientOfClinic(patient_id, patient)
    : ownOrFamily(actor.userId, patient_id, patient);
  const id = deps.newId();
  const by = toAuthor(context);
  const detail = { entry_id: id, patient_id: whose.patientId };
  const event = changeEvent(deps, by, 'waitlist_joined', detail);
  const { writeId } = event;
  const entry = {
    id,
    ...whose,
    sessionId: input.session_id,
    doctorId: input.doctor_id ?? null,
    fromDate: input.from,
    toDate: input.to,
    earliestTime: input.earliest_time ?? null,
    latestTime: input.latest_time ?? null,
  };
  const shown = { sessionName: names?.sessionName ?? '', doctorName: names?.doctorName ?? null };
  const data = entryView({
    ...entry,
    ...shown,
    patient: names?.patient ?? '{}',
    createdAt: now,
    endedAs: null,
    offer: null,
  });
  const response = context.toStoredResponse({ status: 201, data });
  const key = response?.idempotency.key ?? null;
  const row = { ...entry, maxEntries: isDesk(actor) ? 0 : maxEntries, key };
  const written = { ...row, writeId, actorId: actor.userId, now };
  const { done } = await runAll(db, {
    record: recordJoining(db, { ...eventRow(event), ...row }),
    insert: insertEntry(db, written),
    stored: storeResponse(db, { writeId, actorId: actor.userId, now }, response),
    done: findRecorded(db, { writeId }),
  });
  if (done.length > 0) return data;
  const [why] = await run(db, explainJoining(db, written));
  if (why?.repeated) throw new RequestRepeated();
  if (!why?.stands) throw wrongPatient('not_found');
  if (!why.offered) throw new Failure('session_not_offered');
  throw new Failure(why.isNew ? 'waitlist_full' : 'already_waiting');
};

/** Ends an entry; a seat held for it is declined in the same step, and goes to the next. */
export const leaveWaitlist = (context: AnyContext, id: string): Promise<void> => {
  const { deps, now, actor } = context;
  const { db } = deps;
  return decideAgain(async () => {
    const event = changeEvent(deps, toAuthor(context), 'waitlist_left', { entry_id: id });
    const {
      ended,
      offer: [offer],
      entry: [entry],
    } = await runAll(db, {
      recorded: recordLeaving(db, { ...eventRow(event), entryId: id }),
      ended: endEntry(db, { entryId: id, writeId: event.writeId, now }),
      offer: findOffer(db, { id, accountId: actor.userId }),
      entry: findEntry(db, { id, accountId: actor.userId, now }),
    });
    if (ended.length > 0) return;
    if (entry === undefined || entry.endedAt !== null) throw new Failure('not_found');
    // Between two looks the seat was answered or came.
    if (offer === undefined) return overtaken;
    try {
      await declineOffer(context, offer, true);
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'no_offer') throw error;
      return overtaken;
    }
  });
};

/** Puts an entry before another of the same session; the audit trail records the actor and the reason. */
export const orderWaitlist = async (
  context: AnyContext,
  entryId: string,
  { before_id: beforeId, reason }: BodyOf<typeof OrderWaitlist>,
): Promise<void> => {
  const { deps, now, actor } = context;
  const { db } = deps;
  const response = context.toStoredResponse({ status: 200 });
  const detail = { entry_id: entryId, before_id: beforeId, reason };
  const event = changeEvent(deps, toAuthor(context), 'waitlist_ordered', detail);
  const { writeId } = event;
  const key = response?.idempotency.key ?? null;
  const { moved } = await runAll(db, {
    recorded: recordOrder(db, { ...eventRow(event), entryId, beforeId, key }),
    ...putBefore(db, { entryId, beforeId, writeId }),
    stored: storeResponse(db, { writeId, actorId: actor.userId, now }, response),
  });
  if (moved.length > 0 || beforeId === entryId) return;
  await assertNotRepeated(db, { actorId: actor.userId, now }, response);
  throw wrong({ path: 'before_id', rule: 'not_found' });
};
