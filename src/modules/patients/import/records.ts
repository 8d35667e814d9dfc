import { run, runAll } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import type { FieldIssue } from '../../../core/endpoint/field-sentences.ts';
import { comparedPhone, phoneSearchWords } from '../../../core/search/phone-rules.ts';
import type { ImportOutcome } from '../../../core/tables/words.ts';
import { deskFields } from '../record/fields.ts';
import { emptyRecord, type GivenColumns, recordAfter } from '../record/record.ts';
import {
  confirmed,
  lookKeys,
  looksAlike,
  looksForeign,
  pickConfirmation,
  unconfirmed,
} from '../record/rules.ts';
import { decideRow } from './duplicate-rules.ts';
import type { SoundRow } from './judged-row.ts';
import {
  findLooks,
  findMatches,
  findRecordCounter,
  findRecordNumbers,
  findSources,
  type ImportRecord,
  type MatchRow,
} from './queries.ts';

type DeskColumns = typeof deskFields.blank & ReturnType<typeof pickConfirmation>;

/** The dependencies of an import: fewer than a service's, so that the command line can provide them. */
export type ImportDeps = Pick<
  Deps,
  'db' | 'newId' | 'clinicTime' | 'secretBox' | 'tokenKeys' | 'eventsWritten'
>;

/** A record as the rows of a step leave it. */
export interface StepRecord {
  id: string;
  /** As it was read; null for one that the step makes. */
  before: MatchRow | null;
  given: GivenColumns;
  desk: DeskColumns;
  hasChanged: boolean;
  /** The fields that rows gave, for the audit trail. */
  fields: Set<string>;
}

export interface Result {
  row: number;
  outcome: ImportOutcome;
  patientId: string | null;
  issues: readonly FieldIssue[];
}

const distinct = <T>(values: readonly T[]): string => JSON.stringify([...new Set(values)]);

const looksOf = ({ fields, phone }: SoundRow) => ({
  name: fields.name,
  birthDate: fields.birth_date ?? null,
  phone,
});

const looksIn = ({
  name,
  birthDate,
  phoneCountryCode,
  phoneNumber,
}: Pick<GivenColumns, 'name' | 'birthDate' | 'phoneCountryCode' | 'phoneNumber'>) => ({
  name,
  birthDate,
  phone: comparedPhone(phoneCountryCode, phoneNumber),
});

/** Many records may share a placeholder date of birth: full rows are read only for those that look alike. */
const readMatches = async ({ db }: Pick<Deps, 'db'>, source: string, rows: readonly SoundRow[]) => {
  const externalIds = distinct(rows.flatMap(({ externalId }) => externalId ?? []));
  const numbers = distinct(rows.flatMap(({ fields }) => fields.medical_record_number ?? []));
  const { looks, ...read } = await runAll(db, {
    sources: findSources(db, { source, externalIds }),
    looks: findLooks(db, {
      births: distinct(rows.flatMap(({ fields }) => fields.birth_date ?? [])),
      phones: distinct(rows.flatMap(({ phone }) => phoneSearchWords(phone))),
    }),
    numbers: findRecordNumbers(db, { numbers }),
    counter: findRecordCounter(db, {}),
  });
  const keys = new Set(rows.flatMap((row) => lookKeys(looksOf(row))));
  const alike = looks.filter((look) => lookKeys(looksIn(look)).some((key) => keys.has(key)));
  const matches = await run(
    db,
    findMatches(db, {
      ids: JSON.stringify(alike.map(({ id }) => id)),
      source,
      externalIds,
      nationalIds: distinct(rows.flatMap(({ nationalIds }) => nationalIds)),
      insuranceNumbers: distinct(rows.flatMap(({ insuranceNumbers }) => insuranceNumbers)),
    }),
  );
  return { ...read, matches };
};

const toDeskColumns = (row: MatchRow): DeskColumns => ({
  medicalRecordNumber: row.medicalRecordNumber,
  ihsId: row.ihsId,
  staffNotes: row.staffNotes,
  ...pickConfirmation(row),
  externalId: row.externalId,
  metadata: row.metadata,
});

/** A sealed number is a different text each time: the stored one stays if its hash is the same. */
const withSameSeals = (before: GivenColumns, after: GivenColumns): GivenColumns => ({
  ...after,
  ...(after.nationalIdHash === before.nationalIdHash && { nationalId: before.nationalId }),
  ...(after.insuranceNumberHash === before.insuranceNumberHash && {
    insuranceNumber: before.insuranceNumber,
  }),
});

const differ = <T extends object>(before: T, after: T): boolean =>
  Object.keys(after).some((name) => before[name as keyof T] !== after[name as keyof T]);

/** Numbers count as confirmed once each that the record has was typed by the clinic. */
const confirmationAfter = (record: StepRecord, given: GivenColumns, { fields }: SoundRow, now: number) => {
  const isSeen = (hash: string | null, typed: string | undefined) => hash === null || typed !== undefined;
  const areSeen =
    isSeen(given.nationalIdHash, fields.national_id) &&
    isSeen(given.insuranceNumberHash, fields.insurance_number) &&
    (given.nationalIdHash !== null || given.insuranceNumberHash !== null);
  if (record.desk.numbersConfirmedAt !== null) return pickConfirmation(record.desk);
  return areSeen || record.before === null ? confirmed('clinic', now) : unconfirmed;
};

/** Adds to the list of a key. */
const push = <K, V>(lists: Map<K, V[]>, key: K, value: V): void => {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
};

/** The records that match the rows of a step, and the changes that the rows make; nothing is written here. */
export const createStepRecords = async (
  deps: ImportDeps,
  { source, onDuplicate }: ImportRecord,
  sound: readonly SoundRow[],
  now: number,
) => {
  const { sources, matches, numbers, counter } = await readMatches(deps, source, sound);
  const records = new Map<string, StepRecord>();
  const byLook = new Map<string, StepRecord[]>();
  const byNumber = new Map<string, StepRecord[]>();
  const bySource = new Map(sources.map(({ externalId, patientId }) => [externalId, patientId]));
  const merged = new Set(sources.flatMap(({ externalId, hasMerged }) => (hasMerged ? externalId : [])));
  const holders = new Map(numbers.map(({ medicalRecordNumber, id }) => [medicalRecordNumber, id]));
  const linked: { externalId: string; patientId: string }[] = [];

  /** Keeps a record findable; earlier search words stay, and a match is checked again. */
  const index = (record: StepRecord): void => {
    const { given } = record;
    for (const key of lookKeys(looksIn(given))) push(byLook, key, record);
    for (const hash of [given.nationalIdHash, given.insuranceNumberHash])
      if (hash !== null) push(byNumber, hash, record);
  };
  const add = (record: StepRecord): void => {
    records.set(record.id, record);
    index(record);
  };
  for (const row of matches)
    add({
      id: row.id,
      before: row,
      given: row,
      desk: toDeskColumns(row),
      hasChanged: false,
      fields: new Set(),
    });

  const hasNumber = ({ given, desk }: StepRecord, { nationalIds, insuranceNumbers }: SoundRow): boolean =>
    desk.numbersConfirmedAt !== null &&
    (nationalIds.includes(given.nationalIdHash ?? '') ||
      insuranceNumbers.includes(given.insuranceNumberHash ?? ''));

  const matchesOf = (row: SoundRow) => {
    const { externalId, nationalIds, insuranceNumbers } = row;
    const own = looksOf(row);
    const found = (lists: Map<string, StepRecord[]>, keys: readonly string[]) => [
      ...new Set(keys.flatMap((key) => lists.get(key) ?? [])),
    ];
    const known = (externalId === null ? undefined : bySource.get(externalId)) ?? null;
    const record = known === null ? undefined : records.get(known);
    const sameNumber = found(byNumber, [...nationalIds, ...insuranceNumbers])
      .filter((each) => hasNumber(each, row))
      .map(({ id }) => id);
    return {
      known,
      // Where other records were merged into it, the row may be of one of those.
      isForeign:
        record !== undefined &&
        !merged.has(externalId ?? '') &&
        !sameNumber.includes(record.id) &&
        looksForeign(own, looksIn(record.given)),
      sameNumber,
      alike: found(byLook, lookKeys(own))
        .filter(({ given }) => looksAlike(own, looksIn(given)))
        .map(({ id }) => id),
    };
  };

  const apply = async (record: StepRecord, row: SoundRow): Promise<FieldIssue | null> => {
    const { fields } = row;
    const typed = fields.medical_record_number;
    const holder = typed === undefined ? undefined : holders.get(typed);
    if (holder !== undefined && holder !== record.id) return { path: 'medical_record_number', rule: 'taken' };
    const after = withSameSeals(record.given, await recordAfter(deps, now, record.given, fields));
    const desk = {
      ...record.desk,
      medicalRecordNumber: typed ?? record.desk.medicalRecordNumber,
      ...confirmationAfter(record, after, row, now),
      staffNotes: fields.staff_notes ?? record.desk.staffNotes,
    };
    if (typed !== undefined) holders.set(typed, record.id);
    record.hasChanged ||= differ({ ...record.given, ...record.desk }, { ...after, ...desk });
    record.given = after;
    record.desk = desk;
    for (const name of Object.keys(fields)) record.fields.add(name);
    index(record);
    return null;
  };

  const link = ({ externalId }: SoundRow, patientId: string): void => {
    if (externalId === null || bySource.has(externalId)) return;
    bySource.set(externalId, patientId);
    linked.push({ externalId, patientId });
  };

  const create = async (row: SoundRow): Promise<Result> => {
    const desk = { ...deskFields.blank, ...unconfirmed };
    const record: StepRecord = {
      id: deps.newId(),
      before: null,
      given: emptyRecord,
      desk,
      hasChanged: true,
      fields: new Set(),
    };
    const issue = await apply(record, row);
    if (issue !== null) return refused(row, issue);
    records.set(record.id, record);
    link(row, record.id);
    return { row: row.row, outcome: 'created', patientId: record.id, issues: [] };
  };

  const refused = ({ row }: SoundRow, issue: FieldIssue): Result => ({
    row,
    outcome: 'refused',
    patientId: null,
    issues: [issue],
  });

  /** An import never changes a colleague's record: only they and the admins may. */
  const isColleague = ({ before }: StepRecord): boolean =>
    before !== null && before.accountRole !== null && before.accountRole !== 'patient';

  const take = async (row: SoundRow): Promise<Result> => {
    const decision = decideRow(matchesOf(row), onDuplicate);
    if (decision.act === 'create') return create(row);
    if (decision.act === 'refuse') return refused(row, decision.issue);
    const record = records.get(decision.id);
    const left = { row: row.row, patientId: decision.id, issues: [] };
    if (decision.act === 'leave' || record === undefined || isColleague(record)) {
      link(row, decision.id);
      return { ...left, outcome: decision.act === 'leave' ? decision.outcome : 'skipped' };
    }
    const before = { given: record.given, desk: record.desk };
    const issue = await apply(record, row);
    if (issue !== null) return refused(row, issue);
    link(row, record.id);
    const isSame = !differ({ ...before.given, ...before.desk }, { ...record.given, ...record.desk });
    return { ...left, outcome: isSame ? 'unchanged' : 'updated' };
  };

  if (counter[0] === undefined) throw new Failure('unavailable');
  return {
    take,
    linked,
    recordCounter: counter[0].lastRecordNumber,
    changed: () => [...records.values()].filter(({ hasChanged }) => hasChanged),
  };
};
