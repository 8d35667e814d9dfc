import { type Db, run, runAll } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import type { BookingRow } from '../../booking/record/queries.ts';
import { bookingView } from '../../booking/record/views.ts';
import { findArchivedOverlaps } from './archived-overlaps.ts';
import type { Pair } from './join.ts';
import { type Account, compareBirthDates, refuseJoin } from './join-rules.ts';
import {
  countBelongings,
  findBookingsById,
  findBookingsToMove,
  findMergeable,
  findOverlaps,
} from './queries.ts';
import { bookingsAStep, type MergeableRow } from './rules.ts';
import { findOffers } from './waitlist-queries.ts';

const maxConflictsShown = 20;

/** Whether the desk joins the accounts of both, and whatever their dates of birth are. */
export interface Joining {
  isAsked: boolean;
  isConfirmed: boolean;
  /** Tells what would happen, and needs neither. */
  isDryRun?: boolean;
}

/** Two records that can be merged, and what belongs to the source. */
export interface Records {
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
export const assertArchivedApart = async (deps: Deps, source: string, target: string): Promise<void> => {
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
export const toPair = ({ source, target }: Pick<Records, 'source' | 'target'>): Pair | null =>
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
export const readRecords = async (
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
