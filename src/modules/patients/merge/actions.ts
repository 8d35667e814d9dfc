import { leadOn as leadArchivedOn } from '../../../core/archive/archive.ts';
import { dayMs } from '../../../core/clinic/durations.ts';
import { type Db, recognisesRepeat, run, runAll } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import type { Language } from '../../../core/endpoint/messages.ts';
import { recordPatientEvent } from '../../../core/events/patient-event.ts';
import { RequestRepeated, type StoredResponse } from '../../../core/idempotency/key.ts';
import { storeResponse } from '../../../core/idempotency/queries.ts';
import { replaceWords } from '../../../core/search/queries.ts';
import { personWords } from '../../../core/search/rules.ts';
import { eventRow } from '../../auth/audit/queries.ts';
import type { Author } from '../../auth/audit/rules.ts';
import { shownPhone } from '../../auth/login/views.ts';
import { sendDueMail } from '../../auth/mail/send.ts';
import type { BookingRow } from '../../booking/record/queries.ts';
import { bookingView } from '../../booking/record/views.ts';
import { recordColumns, recordStands, updateRecord } from '../record/record-queries.ts';
import { findArchivedOverlaps } from './archived-overlaps.ts';
import { copyChoices, removeChoices } from './choice-queries.ts';
import { joinAccounts, type Pair } from './join.ts';
import { type Account, accountAfter, compareBirthDates, refuseJoin, waysTaken } from './join-rules.ts';
import { planMoves } from './moves.ts';
import {
  confirmMatch,
  copyRelations,
  countBelongings,
  endMatches,
  explainMergeStep,
  findBookingsById,
  findBookingsToMove,
  findMergeable,
  findOverlaps,
  leadMatchesOn,
  leadOn,
  leadSourcesOn,
  mailAdded,
  markMerged,
  moveBookings,
  recordMergeStep,
  recordMoves,
  removeRelations,
  settleMatch,
  voidCodes,
} from './queries.ts';
import { bookingsAStep, compareRecords, type MergeableRow, recordAfterMerge } from './rules.ts';
import { joinWaiting } from './waitlist.ts';
import { findOffers } from './waitlist-queries.ts';

const maxTries = 5;
const maxSteps = 40;
const maxConflictsShown = 20;
const mailLastsMs = 3 * dayMs;

/** Which record is merged into which, and by whom. */
interface Merge {
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

interface Joining {
  isAsked: boolean;
  isConfirmed: boolean;
  /** Tells what would happen, and needs neither. */
  isDryRun?: boolean;
}

interface Records {
  source: MergeableRow;
  target: MergeableRow;
  /** The accounts as the database told them; null for none. */
  sourceAccount: string | null;
  targetAccount: string | null;
  /** The next bookings to move, and one more to see whether others follow. */
  rows: BookingRow[];
  /** The open offers of both. */
  offers: BookingRow[];
  bookings: number;
  relations: number;
}

type Pairs = ReturnType<typeof findOverlaps>['_']['result'];

const explainConflict = async (db: Db, pairs: Pairs): Promise<Failure> => {
  const ids = JSON.stringify(pairs.flatMap(({ sourceId, targetId }) => [sourceId, targetId]));
  const rows = await run(db, findBookingsById(db, { ids }));
  const shown = new Map(rows.map((row) => [row.id, bookingView(row)]));
  const conflicts = pairs.map(({ sourceId, targetId }) => ({
    source: shown.get(sourceId),
    into: shown.get(targetId),
  }));
  const seen = [...new Set(rows.map(({ patientId }) => patientId))];
  return new Failure('merge_conflict', { extras: { conflicts }, seen });
};

/** Throws `merge_conflict` where an archived booking of one record overlaps one of the other. */
const assertArchivedApart = async (deps: Deps, source: string, target: string): Promise<void> => {
  const pairs = await findArchivedOverlaps(deps, source, target, maxConflictsShown);
  if (pairs.length === 0) return;
  const conflicts = pairs.map((pair) => ({ source: bookingView(pair.source), into: bookingView(pair.into) }));
  throw new Failure('merge_conflict', { extras: { conflicts }, seen: [source, target] });
};

const parseAccount = <R extends { account: string | null }>(row: R) => ({
  ...row,
  account: row.account === null ? null : (JSON.parse(row.account) as Account),
});

/** Both records with their accounts where those are joined; null where the source has none. */
const toPair = ({ source, target }: Pick<Records, 'source' | 'target'>): Pair | null =>
  source.account === null || target.account === null
    ? null
    : { source: { ...source, account: source.account }, target: { ...target, account: target.account } };

/** Throws unless the source has no account, or the desk joins it with that of the target. */
const assertJoinable = (
  { mailer }: Deps,
  records: Pick<Records, 'source' | 'target'>,
  joining: Joining | null | undefined,
): void => {
  const { source, target } = records;
  if (source.account === null) return;
  const pair = toPair(records);
  if (pair === null || joining == null || !(joining.isAsked || joining.isDryRun))
    throw new Failure('patient_has_account');
  const { account } = pair.target;
  const refused = refuseJoin(pair.source.account, account, { asksForProof: mailer.reachesPeople === true });
  if (refused !== null) throw new Failure(refused);
  const isAgreed = compareBirthDates(source, target) === 'same' || joining.isConfirmed;
  if (!isAgreed && !joining.isDryRun) throw new Failure('birth_dates_differ');
};

/** Reads two records and the data of the source; throws if they cannot be merged. */
const readRecords = async (
  deps: Deps,
  source: string,
  target: string,
  joining?: Joining | null,
): Promise<Records> => {
  const { db } = deps;
  const {
    from: [from],
    into: [into],
    overlaps,
    rows,
    offers,
    belongings: [belongings],
  } = await runAll(db, {
    from: findMergeable(db, { id: source }),
    into: findMergeable(db, { id: target }),
    overlaps: findOverlaps(db, { source, target, limit: maxConflictsShown }),
    rows: findBookingsToMove(db, { source, limit: bookingsAStep + 1 }),
    offers: findOffers(db, { source, target }),
    belongings: countBelongings(db, { source }),
  });
  if (from === undefined || into === undefined) throw new Failure('not_found');
  const both = { source: parseAccount(from), target: parseAccount(into) };
  if (from.mergedInto !== null && from.mergedInto !== target)
    throw new Failure('patient_merged', { extras: { merged_into: from.mergedInto } });
  if (into.mergedInto !== null)
    throw new Failure('patient_merged', { extras: { merged_into: into.mergedInto } });
  assertJoinable(deps, both, joining);
  if (overlaps.length > 0) throw await explainConflict(db, overlaps);
  const { bookings = 0, relations = 0 } = belongings ?? {};
  const accounts = { sourceAccount: from.account, targetAccount: into.account };
  return { ...both, ...accounts, rows, offers, bookings, relations };
};

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
    leadMatchesOn(db, { ...ids, target: target.id }),
    endMatches(db, { ...ids, matchId: match?.id ?? null }),
    ...(match == null ? [] : matchEnding(deps, match, { writeId, userId: target.id, now })),
    leadOn(db, { ...ids, target: target.id }),
    leadSourcesOn(db, { ...ids, target: target.id }),
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
const makeStep = async (merge: Merge, records: Records) => {
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

const toJoined = ({ source, target }: Pair) => {
  const taken = waysTaken(source.account, target.account);
  return {
    taken,
    email: taken.includes('email') ? source.account.email : null,
    login_phone: taken.includes('login_phone') ? shownPhone(source.account.loginPhone) : null,
    birth_dates: compareBirthDates(source, target),
  };
};

/** The effect of a merge, done or previewed. */
const toMergeResult = (records: Records, isDryRun: boolean) => {
  const { source, target, bookings, relations } = records;
  const { taken, differing } = compareRecords(source, target, recordAfterMerge(source, target));
  const pair = toPair(records);
  return {
    ...{ id: target.id, merged_id: source.id, bookings, relations, taken, differing, dry_run: isDryRun },
    accounts: pair === null ? null : toJoined(pair),
  };
};

/** Throws if the same request merged the records a moment ago, so that its stored response is sent again. */
const assertFirst = async (
  db: Db,
  { actorId, now }: Author,
  stored: StoredResponse | null,
): Promise<void> => {
  const key = stored?.idempotency.key ?? null;
  const [why] = await run(db, explainMergeStep(db, { writeId: '', actorId, key, now }));
  if (why?.repeated === 1) throw new RequestRepeated();
};

/** The result, and the remaining record. */
const buildMerged = (records: Records) => ({
  result: toMergeResult(records, false),
  after: { ...records.target, ...recordAfterMerge(records.source, records.target) },
});
type Merged = ReturnType<typeof buildMerged>;

/** The effect of merging a record into another; throws if the merge is not possible. */
export const previewMerge = async (deps: Deps, source: string, target: string) => {
  const dryRun = { isAsked: false, isConfirmed: false, isDryRun: true };
  const records = await readRecords(deps, source, target, dryRun);
  await assertArchivedApart(deps, source, target);
  return toMergeResult(records, true);
};

/**
 * Merges a record into another: its bookings in bounded steps, those to come first, and with the last of them the
 * record itself. The data are consistent after every step, and a repeated request continues an interrupted merge.
 */
const mergeAll = async (
  input: Omit<Merge, 'stored'> & { respond: (merged: Merged) => Promise<StoredResponse | null> },
): Promise<Merged> => {
  const { deps, source, target, joining, respond } = input;
  let records = await readRecords(deps, source, target, joining);
  await assertArchivedApart(deps, source, target);
  let merged = buildMerged(records);
  let merge = { ...input, stored: await respond(merged) };
  if (records.source.mergedInto === target) {
    await assertFirst(deps.db, input.by, merge.stored);
    return { ...merged, after: records.target };
  }
  let tries = 0;
  let isBegun = false;
  for (let steps = 0; steps < maxSteps && tries < maxTries; steps++) {
    const { isMade, isRepeated, isLast } = await makeStep(merge, records);
    if (isMade) deps.eventsWritten();
    if (isMade && isLast) return merged;
    if (!isMade && isRepeated) throw new RequestRepeated();
    tries = isMade ? 0 : tries + 1;
    isBegun ||= isMade;
    records = await readRecords(deps, source, target, joining);
    if (records.source.mergedInto === target) return merged;
    if (isBegun) continue;
    // The answer is that of what is merged, not of what was read before somebody changed it.
    merged = buildMerged(records);
    merge = { ...input, stored: await respond(merged) };
  }
  throw new Failure('unavailable');
};

/** The same, and what is archived of the record follows it; the daily job lets it follow if the process ends before. */
export const mergeRecords: typeof mergeAll = async (input) => {
  const merged = await mergeAll(input);
  await leadArchivedOn(input.deps.archive, input.source, input.target);
  return merged;
};
