import { dayMs } from '../../../core/clinic/durations.ts';
import { recognisesRepeat, runAll } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import type { Language } from '../../../core/endpoint/messages.ts';
import { recordPatientEvent } from '../../../core/events/patient-event.ts';
import type { StoredResponse } from '../../../core/idempotency/key.ts';
import { storeResponse } from '../../../core/idempotency/queries.ts';
import { replaceWords } from '../../../core/search/queries.ts';
import { personWords } from '../../../core/search/rules.ts';
import { eventRow } from '../../auth/audit/queries.ts';
import type { Author } from '../../auth/audit/rules.ts';
import { sendDueMail } from '../../auth/mail/send.ts';
import { recordColumns, recordStands, updateRecord } from '../record/record-queries.ts';
import { copyChoices, removeChoices } from './choice-queries.ts';
import { joinAccounts } from './join.ts';
import { accountAfter } from './join-rules.ts';
import { confirmMatch, copyMatches, endMatches, mailAdded, settleMatch } from './match-queries.ts';
import { planMoves } from './moves.ts';
import {
  copyRelations,
  explainMergeStep,
  markMerged,
  moveBookings,
  recordMergeStep,
  recordMoves,
  redirectMerged,
  redirectSources,
  removeRelations,
  voidCodes,
} from './queries.ts';
import { type Joining, type Records, toPair } from './records.ts';
import { bookingsAStep, recordAfterMerge } from './rules.ts';
import { joinWaiting } from './waitlist.ts';

const mailLastsMs = 3 * dayMs;

/** Which record is merged into which, and by whom. */
export interface Merge {
  deps: Deps;
  by: Author;
  source: string;
  target: string;
  /** The code by which an account merges a record into its own; null for the clinic. */
  claimHash: string | null;
  /** The match that the desk confirms, and the language of its mail; null for any other merge. */
  match?: { id: string; language: Language } | null;
  /** Whether the desk joins the accounts of both, and whatever their dates of birth are; null where an account refuses it. */
  joining?: Joining | null;
  /** The response that the last step stores for a repeated request. */
  stored: StoredResponse | null;
}

/** What ends a match that was confirmed: its owner learns of it by mail. */
const matchEnding = (
  { db, newId }: Deps,
  { id, language }: NonNullable<Merge['match']>,
  ids: { writeId: string; userId: string; now: number },
) => [
  settleMatch(db, { ...ids, matchId: id }),
  mailAdded(db, {
    ...ids,
    mailId: newId(),
    kind: 'record_added',
    language,
    expiresAt: ids.now + mailLastsMs,
  }),
];

/** Further statements of the last step. */
const ending = ({ deps, by, match }: Merge, writeId: string, records: Records) => {
  const { db } = deps;
  const { now } = by;
  const { source, target } = records;
  const after = recordAfterMerge(source, target);
  const pair = toPair(records);
  const account = pair === null ? target.account : accountAfter(pair.source.account, pair.target.account);
  const takes = (field: 'medicalRecordNumber' | 'externalId') =>
    after[field] === source[field] ? null : source[field];
  const ids = { source: source.id, writeId };
  return [
    removeRelations(db, ids),
    copyChoices(db, { ...ids, target: target.id }),
    removeChoices(db, ids),
    voidCodes(db, { ...ids, now }),
    copyMatches(db, { ...ids, target: target.id }),
    endMatches(db, { ...ids, matchId: match?.id ?? null }),
    ...(match == null ? [] : matchEnding(deps, match, { writeId, userId: target.id, now })),
    redirectMerged(db, { ...ids, target: target.id }),
    redirectSources(db, { ...ids, target: target.id }),
    // Both are unique, so the source gives them up before the target takes them.
    markMerged(db, {
      writeId,
      source: source.id,
      target: target.id,
      medicalRecordNumber: takes('medicalRecordNumber'),
      externalId: takes('externalId'),
      now,
    }),
    updateRecord(db, {
      id: target.id,
      writeId,
      version: target.version,
      now,
      ...recordColumns.valuesOf(after),
    }),
    ...replaceWords(db, 'person', source.id, [], recordStands(source.id, writeId)),
    ...replaceWords(
      db,
      'person',
      target.id,
      personWords({ ...after, email: after.email ?? account?.email ?? null }),
      // A repetition of the batch finds the version of a later change, whose words stay.
      recordStands(target.id, writeId, target.version + 1),
    ),
  ];
};

/** What the audit trail calls a step, and the account that it concerns. */
const chooseEvent = ({ claimHash, match, by, target }: Merge, { source }: Records) => {
  if (source.account !== null) return { type: 'accounts_joined', userId: target } as const;
  if (match != null) return { type: 'match_confirmed', userId: target } as const;
  return claimHash === null
    ? ({ type: 'patient_merged', userId: null } as const)
    : ({ type: 'patient_claimed', userId: by.actorId } as const);
};

/** One atomic step: some bookings, and with the last of them the record itself. */
export const makeStep = async (merge: Merge, records: Records) => {
  const { deps, by } = merge;
  const { db } = deps;
  const { source, target, rows } = records;
  const { actorId, now } = by;
  const writeId = deps.newId();
  const isLast = rows.length <= bookingsAStep;
  const { count, moves, offers } = planMoves(merge, rows, records.offers);
  const response = isLast ? merge.stored : null;
  const key = merge.stored?.idempotency.key ?? null;
  const event = eventRow({
    writeId,
    ...chooseEvent(merge, records),
    actorId,
    deviceLoginId: by.deviceLoginId,
    requestId: by.requestId,
    now,
    detail: { patient_id: source.id, into: target.id, bookings: count, done: isLast ? 1 : 0 },
  });
  const moving = { writeId, moves, now };
  const ids = { source: source.id, target: target.id };
  const { sourceAccount, targetAccount } = records;
  const pair = toPair(records);
  const {
    why: [why],
  } = await runAll(db, {
    // A repeat finds every row moved already, and the event recorded.
    step: recognisesRepeat(
      recordMergeStep(db, {
        ...event,
        ...ids,
        key,
        sourceVersion: source.version,
        targetVersion: target.version,
        moves,
        offers: JSON.stringify(records.offers.map(({ id, version }) => ({ id, version }))),
        isLast: isLast ? 1 : 0,
        claimHash: merge.claimHash,
        matchId: merge.match?.id ?? null,
        sourceAccount,
        targetAccount,
      }),
    ),
    confirmed: merge.match == null ? [] : [confirmMatch(db, { writeId, matchId: merge.match.id, actorId })],
    why: explainMergeStep(db, { writeId, actorId, key, now }),
    bookings: moveBookings(db, { ...moving, ...ids }),
    events: recordMoves(db, {
      ...moving,
      type: 'booking.updated',
      actorId,
      actorRole: by.role,
      requestId: by.requestId,
    }),
    waiting: joinWaiting({ ...merge, writeId }, offers),
    relations: copyRelations(db, { writeId, ...ids }),
    // One account ends with the first step: afterwards it is a record without one that is merged.
    joined: pair === null ? [] : await joinAccounts(deps, by, pair, { writeId, isLast }),
    ending: isLast ? ending(merge, writeId, records) : [],
    merged: isLast ? [recordPatientEvent(db, by, 'patient.merged', writeId, source.id, target.id)] : [],
    response: storeResponse(db, { writeId, actorId, now }, response),
  });
  const isMade = why?.recorded === 1;
  if (isMade && pair !== null) deps.background(sendDueMail(deps));
  return { isMade, isRepeated: why?.repeated === 1, isLast };
};
