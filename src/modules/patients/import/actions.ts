import { violatedUnique } from '../../../core/db/conflict.ts';
import { type Db, run, runAll } from '../../../core/db/db.ts';
import { decideAgain, overtaken } from '../../../core/db/decide-again.ts';
import type { BodyOf } from '../../../core/endpoint/endpoint.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { recordSubjectEventsIfAudited, type SubjectEvent } from '../../../core/events/queries.ts';
import { assertNotRepeated, storeResponse } from '../../../core/idempotency/queries.ts';
import { wordList } from '../../../core/search/queries.ts';
import { personWords } from '../../../core/search/rules.ts';
import { onDuplicates } from '../../../core/tables/words.ts';
import { eventRow } from '../../auth/audit/queries.ts';
import { copyRecordsToAccounts } from '../desk/queries.ts';
import { recordColumns } from '../record/record-queries.ts';
import type { ImportRows, StartImport } from './contract.ts';
import { judgeRow } from './judged-row.ts';
import { findRecordNumbers, findSameFile, type ImportRecord, insertImport, recordStart } from './queries.ts';
import { createStepRecords, type ImportDeps, type Result, type StepRecord } from './records.ts';
import {
  computeProgress,
  type Importer,
  type Importing,
  readImport,
  recordedBy,
  toImportEvent,
  toStepAnswer,
  writeStep,
} from './steps.ts';
import { importView } from './views.ts';
import * as write from './write-queries.ts';

/** Begins an import, or finds the one of the same file; says which. */
export const startImport = async (
  { deps, by, toStoredResponse }: Importing,
  input: BodyOf<typeof StartImport>,
) => {
  const { db } = deps;
  if (input.kind === 'visits' && (input.on_duplicate ?? 'skip') !== 'skip')
    throw new Failure('validation_failed', {
      issues: [{ path: 'on_duplicate', rule: 'not_allowed', limit: onDuplicates[0] }],
    });
  if (input.events === true && input.kind !== 'visits')
    throw new Failure('validation_failed', {
      issues: [{ path: 'events', rule: 'invalid' }],
    });
  const settings = {
    kind: input.kind ?? ('patients' as const),
    source: input.source ?? 'import',
    onDuplicate: input.on_duplicate ?? ('skip' as const),
    dateOrder: input.date_order ?? null,
    fileKey: input.file_key ?? null,
  };
  const { fileKey } = settings;
  const row = {
    ...settings,
    id: deps.newId(),
    dryRun: input.dry_run ?? false,
    events: input.events ?? false,
    ...{ lastRow: 0, created: 0, updated: 0, unchanged: 0, skipped: 0, refused: 0 },
    ...{ createdBy: by.actorId, createdAt: by.now, updatedAt: by.now, finishedAt: null },
  } satisfies ImportRecord;
  const writeId = deps.newId();
  const data = importView(row);
  const response = toStoredResponse({ status: 201, data });
  const event = toImportEvent(by, {
    writeId,
    type: 'patient_import_started',
    detail: { import_id: row.id, kind: row.kind },
  });
  const events = row.events ? 1 : 0;
  const stored = { ...settings, events, dryRun: row.dryRun ? 1 : 0 };
  const { inserted } = await runAll(db, {
    event: recordStart(db, { ...eventRow(event), ...stored, key: response?.idempotency.key ?? null }),
    inserted: insertImport(db, { id: row.id, writeId, actorId: by.actorId, now: by.now, ...stored }),
    response: storeResponse(db, recordedBy(by, writeId), response),
  });
  if (inserted.length > 0) return { data, isNew: true };
  await assertNotRepeated(db, recordedBy(by, writeId), response);
  const [known] = await run(db, findSameFile(db, { ...settings, events, fileKey: fileKey ?? '' }));
  if (known === undefined) throw new Failure('unavailable');
  return { data: importView(known), isNew: false };
};

/** How many record numbers are looked at in one read. */
const numbersARead = 500;
const recordNumber = (number: number): string => `RM-${String(number).padStart(6, '0')}`;

/** Gives new records without a number the clinic's next free numbers; returns the last one. */
const giveNumbers = async (db: Db, records: readonly StepRecord[], counter: number): Promise<number> => {
  const unnumbered = records.filter(
    ({ before, desk }) => before === null && desk.medicalRecordNumber === null,
  );
  const own = new Set(records.map(({ desk }) => desk.medicalRecordNumber));
  let last = counter;
  let taken = new Set<string | null>();
  let lookedTo = counter;
  for (const record of unnumbered) {
    do {
      last += 1;
      if (last > lookedTo) {
        const numbers = Array.from({ length: numbersARead }, (_, nth) => recordNumber(last + nth));
        const found = await run(db, findRecordNumbers(db, { numbers: JSON.stringify(numbers) }));
        taken = new Set(found.map(({ medicalRecordNumber }) => medicalRecordNumber));
        lookedTo = last + numbersARead - 1;
      }
    } while (taken.has(recordNumber(last)) || own.has(recordNumber(last)));
    record.desk = { ...record.desk, medicalRecordNumber: recordNumber(last) };
  }
  return last;
};

/** The statements that write the records of a step, each only if the step was recorded. */
const recordStatements = (
  deps: ImportDeps,
  by: Importer,
  writeId: string,
  importId: string,
  records: readonly StepRecord[],
) => {
  const { db } = deps;
  const { actorId, now } = by;
  const rows = records.map(({ id, before, given, desk }) => ({
    id,
    writeId,
    now,
    actorId,
    words: wordList(personWords({ ...given, email: given.email ?? before?.accountEmail ?? null })),
    ...recordColumns.valuesOf({ ...given, ...desk }),
  }));
  const made = rows.filter((_, nth) => records[nth]?.before === null);
  const changed = rows.filter((_, nth) => records[nth]?.before !== null);
  const lines = records.map(({ id, before, fields }, nth) => ({
    writeId,
    lineId: deps.newId(),
    nth,
    type: before === null ? 'patient_created' : 'patient_changed',
    patientId: id,
    actorId,
    actorKind: by.role === 'api_key' ? 'api_key' : 'account',
    deviceLoginId: by.deviceLoginId,
    requestId: by.requestId,
    now,
    detail: JSON.stringify({
      patient_id: id,
      import_id: importId,
      ...(before !== null && { fields: [...fields].join(',') }),
    }),
  }));
  const events = records.map(
    ({ id, before }): SubjectEvent => ({
      writeId,
      type: before === null ? 'patient.created' : 'patient.updated',
      subjectId: id,
      actorId,
      actorRole: by.role,
      requestId: by.requestId,
      now,
      data: { patient_id: id, merged_into: null },
    }),
  );
  if (records.length === 0) return [];
  return [
    ...(made.length > 0 ? [write.insertRecords(db, made)] : []),
    ...(changed.length > 0
      ? [write.removeWords(db, changed), write.updateRecords(db, changed), copyRecordsToAccounts(db, changed)]
      : []),
    write.addSearchWords(db, rows),
    write.recordLines(db, lines),
    recordSubjectEventsIfAudited(db, events),
  ];
};

/** The records that a step makes and changes, and what becomes of its rows. */
const decideStep = async (
  { deps, by: { now } }: Importing,
  current: ImportRecord,
  input: BodyOf<typeof ImportRows>,
) => {
  const today = deps.clinicTime.dateOf(now);
  const judged = await Promise.all(input.rows.map((row) => judgeRow(deps, row, current.dateOrder, today)));
  const sound = judged.filter((row) => 'fields' in row);
  const records = await createStepRecords(deps, current, sound, now);
  const results: Result[] = [];
  for (const row of judged)
    results.push('fields' in row ? await records.take(row) : { ...row, outcome: 'refused', patientId: null });
  const { recordCounter } = records;
  if (!current.dryRun) {
    const changed = records.changed();
    const lastNumber = await giveNumbers(deps.db, changed, recordCounter);
    return { results, changed, linked: records.linked, recordCounter, lastNumber };
  }
  // What a dry run would make has no id.
  const made = new Set(records.changed().flatMap(({ id, before }) => (before === null ? id : [])));
  const shown = results.map((row) => (made.has(row.patientId ?? '') ? { ...row, patientId: null } : row));
  return { results: shown, changed: [], linked: [], recordCounter, lastNumber: recordCounter };
};

type Decision = Awaited<ReturnType<typeof decideStep>>;

/** The statements of a step that write its records, the clinic's counter, and the ids of the source. */
const stepStatements = (
  { deps, by }: Importing,
  { id, source, dryRun }: ImportRecord,
  { changed, linked, recordCounter, lastNumber }: Decision,
  writeId: string,
) => {
  const { db } = deps;
  const links = linked.map((one) => ({ ...one, source, writeId, now: by.now }));
  return [
    ...recordStatements(deps, by, writeId, id, changed),
    ...(lastNumber === recordCounter
      ? []
      : [write.moveRecordCounter(db, { writeId, recordCounter: lastNumber })]),
    ...(dryRun ? [] : [write.insertSources(db, links)]),
  ];
};

/** `overtaken` where somebody took one of the record numbers meanwhile. */
const unlessNumberTaken = async <T>(writing: Promise<T>): Promise<T | typeof overtaken> => {
  try {
    return await writing;
  } catch (error) {
    if (violatedUnique(error)?.startsWith('patients.')) return overtaken;
    throw error;
  }
};

/**
 * Imports the next rows in one atomic step with how far the import has come; a dry run writes that and the results alone.
 * Decides again where a record that it changes was changed meanwhile.
 */
export const importRows = (importing: Importing, id: string, input: BodyOf<typeof ImportRows>) =>
  decideAgain(async () => {
    const { deps, by, language, toStoredResponse } = importing;
    const current = await readImport(deps, id, 'patients', input);
    const decision = await decideStep(importing, current, input);
    const progress = computeProgress(current, input, decision.results, by.now);
    const answer = toStepAnswer(progress, language);
    const { changed, recordCounter } = decision;
    const writeId = deps.newId();
    const versions = changed.flatMap(({ before }) => (before ? [[before.id, before.version]] : []));
    const step = {
      ...{ writeId, recordCounter, type: 'patients_imported' as const },
      versions: Object.fromEntries(versions),
      statements: stepStatements(importing, current, decision, writeId),
    };
    const written = writeStep(importing, progress, step, toStoredResponse(answer));
    if ((await unlessNumberTaken(written)) === overtaken) return overtaken;
    if (changed.length > 0) deps.eventsWritten();
    return answer;
  });
