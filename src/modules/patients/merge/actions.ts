import { moveArchivedToRecord } from '../../../core/archive/archive.ts';
import { type Db, run } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { RequestRepeated, type StoredResponse } from '../../../core/idempotency/key.ts';
import type { Author } from '../../auth/audit/rules.ts';
import { shownPhone } from '../../auth/login/views.ts';
import type { Pair } from './join.ts';
import { compareBirthDates, waysTaken } from './join-rules.ts';
import { explainMergeStep } from './queries.ts';
import { assertArchivedApart, type Records, readRecords, toPair } from './records.ts';
import { compareRecords, recordAfterMerge } from './rules.ts';
import { type Merge, makeStep } from './step.ts';

const maxTries = 5;
const maxSteps = 40;

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
  await moveArchivedToRecord(input.deps.archive, input.source, input.target);
  return merged;
};
