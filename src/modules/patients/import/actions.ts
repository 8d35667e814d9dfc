import { violatedUnique } from '../../../core/db/conflict.ts';
import { type Db, run, runAll } from '../../../core/db/db.ts';
import { decideAgain, overtaken } from '../../../core/db/decide-again.ts';
import type { BodyOf } from '../../../core/endpoint/endpoint.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import type { Language } from '../../../core/endpoint/messages.ts';
import { recordSubjectEventsIfAudited, type SubjectEvent } from '../../../core/events/queries.ts';
import type { ResponseToStore } from '../../../core/idempotency/key.ts';
import { assertNotRepeated, storeResponse } from '../../../core/idempotency/queries.ts';
import { wordList } from '../../../core/search/queries.ts';
import { personWords } from '../../../core/search/rules.ts';
import type { ImportOutcome } from '../../../core/tables/words.ts';
import { eventRow, type SecurityEvent } from '../../auth/audit/queries.ts';
import type { Author } from '../../auth/audit/rules.ts';
import { copyRecordsToAccounts } from '../desk/queries.ts';
import { recordColumns } from '../record/record-queries.ts';
import type { ImportRows, StartImport } from './contract.ts';
import { judgeRow } from './judged-row.ts';
import {
  findImport,
  findRecordNumbers,
  findSameFile,
  type ImportRecord,
  insertImport,
  recordStart,
} from './queries.ts';
import { createStepRecords, type ImportDeps, type Result, type StepRecord } from './records.ts';
import { importView, issuesText, resultView } from './views.ts';
import * as write from './write-queries.ts';

/** The importer: a person with a token, or the command line. */
export interface Importer extends Omit<Author, 'actorId' | 'role'> {
  actorId: string | null;
  role: Author['role'] | 'system';
}

interface Importing {
  deps: ImportDeps;
  by: Importer;
  language: Language;
  toStoredResponse: ResponseToStore;
}

const eventOf = (
  { role, ...by }: Importer,
  event: Pick<SecurityEvent, 'writeId' | 'type' | 'detail'>,
): SecurityEvent => ({ userId: null, ...by, ...(role !== 'system' && { role }), ...event });

/** The key under which a response is stored; without an actor there is none, and nothing is stored. */
const recordedBy = ({ actorId, now }: Importer, writeId: string) => ({
  writeId,
  actorId: actorId ?? '',
  now,
});

/** Begins an import, or finds the one of the same file; says which. */
export const startImport = async (
  { deps, by, toStoredResponse }: Importing,
  input: BodyOf<typeof StartImport>,
) => {
  const { db } = deps;
  const settings = {
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
    ...{ lastRow: 0, created: 0, updated: 0, unchanged: 0, skipped: 0, refused: 0 },
    ...{ createdBy: by.actorId, createdAt: by.now, updatedAt: by.now, finishedAt: null },
  } satisfies ImportRecord;
  const writeId = deps.newId();
  const data = importView(row);
  const response = toStoredResponse({ status: 201, data, message: 'created' });
  const event = eventOf(by, { writeId, type: 'patient_import_started', detail: { import_id: row.id } });
  const stored = { ...settings, dryRun: row.dryRun ? 1 : 0 };
  const { inserted } = await runAll(db, {
    event: recordStart(db, { ...eventRow(event), ...stored, key: response?.idempotency.key ?? null }),
    inserted: insertImport(db, { id: row.id, writeId, actorId: by.actorId, now: by.now, ...stored }),
    response: storeResponse(db, recordedBy(by, writeId), response),
  });
  if (inserted.length > 0) return { data, isNew: true };
  await assertNotRepeated(db, recordedBy(by, writeId), response);
  const [known] = await run(db, findSameFile(db, { ...settings, fileKey: fileKey ?? '' }));
  if (known === undefined) throw new Failure('unavailable');
  return { data: importView(known), isNew: false };
};

/** How many record numbers are looked at in one read. */
const numbersARead = 500;
const recordNumber = (number: number): string => `RM-${String(number).padStart(6, '0')}`;

/** Gives new records without a number the clinic's next ones, past those that are taken; says the last one. */
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

const countsOf = (results: readonly Result[]) => {
  const of = (outcome: ImportOutcome) => results.filter((result) => result.outcome === outcome).length;
  return {
    created: of('created'),
    updated: of('updated'),
    unchanged: of('unchanged'),
    skipped: of('skipped'),
    refused: of('refused'),
  };
};

/** The statements that write the records of a step, each where the step was recorded. */
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
    write.addWordsOf(db, rows),
    write.recordLines(db, lines),
    recordSubjectEventsIfAudited(db, events),
  ];
};

const movedOn = ({ lastRow, finishedAt }: ImportRecord): Failure =>
  new Failure('import_moved_on', { extras: { last_row: lastRow, finished: finishedAt !== null } });

/** Throws unless each row has a higher number than the one before. */
const assertOrdered = ({ after_row, rows }: BodyOf<typeof ImportRows>): void => {
  let last = after_row;
  for (const [nth, { row }] of rows.entries()) {
    if (row <= last)
      throw new Failure('validation_failed', {
        issues: [{ path: `rows.${nth}.row`, rule: 'too_small', limit: last + 1 }],
      });
    last = row;
  }
};

/**
 * Imports the next rows in one atomic step with how far the import has come; a dry run writes that and the results alone.
 * Decides again where a record that it changes was changed meanwhile.
 */
export const importRows = (
  { deps, by, language, toStoredResponse }: Importing,
  id: string,
  input: BodyOf<typeof ImportRows>,
) =>
  decideAgain(async () => {
    const { db } = deps;
    const { now } = by;
    assertOrdered(input);
    const [current] = await run(db, findImport(db, { id }));
    if (current === undefined) throw new Failure('not_found');
    const today = deps.clinicTime.dateOf(now);
    const judged = await Promise.all(input.rows.map((row) => judgeRow(deps, row, current.dateOrder, today)));
    const records = await createStepRecords(
      deps,
      current,
      judged.filter((row) => 'fields' in row),
      now,
    );
    const results: Result[] = [];
    for (const row of judged)
      results.push(
        'fields' in row ? await records.take(row) : { ...row, outcome: 'refused', patientId: null },
      );
    const changed = current.dryRun ? [] : records.changed();
    const recordCounter = await giveNumbers(db, changed, records.recordCounter);
    const made = new Set(records.changed().flatMap(({ id: own, before }) => (before === null ? own : [])));
    const shown = results.map((result) =>
      current.dryRun && made.has(result.patientId ?? '') ? { ...result, patientId: null } : result,
    );
    const counts = countsOf(results);
    const writeId = deps.newId();
    const lastRow = input.rows.at(-1)?.row ?? current.lastRow;
    const after: ImportRecord = {
      ...current,
      created: current.created + counts.created,
      updated: current.updated + counts.updated,
      unchanged: current.unchanged + counts.unchanged,
      skipped: current.skipped + counts.skipped,
      refused: current.refused + counts.refused,
      lastRow,
      updatedAt: now,
      finishedAt: input.finish ? now : null,
    };
    const data = shown.map((result) => resultView(result, language));
    const answer = { status: 200, data, meta: { progress: importView(after) }, message: 'imported' as const };
    const response = toStoredResponse(answer);
    const detail = { import_id: id, after_row: input.after_row, last_row: lastRow, ...counts };
    const event = eventOf(by, { writeId, type: 'patients_imported', detail });
    try {
      const { moved } = await runAll(db, {
        event: write.recordStep(db, {
          ...eventRow(event),
          importId: id,
          afterRow: input.after_row,
          recordCounter: records.recordCounter,
          versions: JSON.stringify(
            Object.fromEntries(
              changed.flatMap(({ before }) => (before ? [[before.id, before.version]] : [])),
            ),
          ),
          key: response?.idempotency.key ?? null,
        }),
        records: recordStatements(deps, by, writeId, id, changed),
        counter:
          recordCounter === records.recordCounter
            ? []
            : [write.moveRecordCounter(db, { writeId, recordCounter })],
        sources: current.dryRun
          ? []
          : [
              write.insertSources(
                db,
                records.linked.map((one) => ({ ...one, source: current.source, writeId, now })),
              ),
            ],
        results: write.insertResults(
          db,
          shown.map(({ row, outcome, patientId, issues }) => ({
            writeId,
            importId: id,
            row,
            outcome,
            patientId,
            issues: issuesText(issues),
            now,
          })),
        ),
        moved: write.moveImport(db, { id, writeId, now, lastRow, finishedAt: after.finishedAt, ...counts }),
        response: storeResponse(db, recordedBy(by, writeId), response),
      });
      if (moved.length === 0) {
        await assertNotRepeated(db, recordedBy(by, writeId), response);
        const [stands] = await run(db, findImport(db, { id }));
        if (stands === undefined) throw new Failure('not_found');
        if (stands.finishedAt !== null || stands.lastRow !== input.after_row) throw movedOn(stands);
        return overtaken;
      }
    } catch (error) {
      // Somebody took one of the numbers meanwhile.
      if (violatedUnique(error)?.startsWith('patients.')) return overtaken;
      throw error;
    }
    if (changed.length > 0) deps.eventsWritten();
    return answer;
  });
