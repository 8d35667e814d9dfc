import { run, runAll, type Statement } from '../../../core/db/db.ts';
import { overtaken } from '../../../core/db/decide-again.ts';
import type { Deps } from '../../../core/deps.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import type { Language } from '../../../core/endpoint/messages.ts';
import type { ResponseToStore, StoredResponse } from '../../../core/idempotency/key.ts';
import { assertNotRepeated, storeResponse } from '../../../core/idempotency/queries.ts';
import { type ImportKind, type ImportOutcome, importOutcomes } from '../../../core/tables/words.ts';
import { eventRow, type SecurityEvent } from '../../auth/audit/queries.ts';
import type { Author } from '../../auth/audit/rules.ts';
import { findImport, type ImportRecord } from './queries.ts';
import type { ImportDeps, Result } from './records.ts';
import { importView, issuesText, resultView } from './views.ts';
import { insertResults, moveImport, recordStep } from './write-queries.ts';

/** The importer: a person with a token, or the command line. */
export interface Importer extends Omit<Author, 'actorId' | 'role'> {
  actorId: string | null;
  role: Author['role'] | 'system';
}

export interface Importing<D = ImportDeps> {
  deps: D;
  by: Importer;
  language: Language;
  toStoredResponse: ResponseToStore;
}

export const toImportEvent = (
  { role, ...by }: Importer,
  event: Pick<SecurityEvent, 'writeId' | 'type' | 'detail'>,
): SecurityEvent => ({ userId: null, ...by, ...(role !== 'system' && { role }), ...event });

/** The key under which a response is stored; without an actor there is none, and nothing is stored. */
export const recordedBy = ({ actorId, now }: Importer, writeId: string) => ({
  writeId,
  actorId: actorId ?? '',
  now,
});

/** The rows of a step, as they are sent. */
interface StepInput {
  after_row: number;
  rows: readonly { row: number }[];
  finish?: boolean | undefined;
}

/** Reads the import that a step belongs to; throws unless it takes such rows, and each has a higher number than the one before. */
export const readImport = async (
  { db }: Pick<Deps, 'db'>,
  id: string,
  kind: ImportKind,
  { after_row, rows }: StepInput,
): Promise<ImportRecord> => {
  let last = after_row;
  for (const [nth, { row }] of rows.entries()) {
    if (row <= last)
      throw new Failure('validation_failed', {
        issues: [{ path: `rows.${nth}.row`, rule: 'too_small', limit: last + 1 }],
      });
    last = row;
  }
  const [current] = await run(db, findImport(db, { id }));
  if (current === undefined) throw new Failure('not_found');
  if (current.kind !== kind) throw new Failure('import_of_other_kind');
  return current;
};

/** The progress of an import after a step, and the answer for its rows. */
interface Progress {
  current: ImportRecord;
  input: StepInput;
  results: readonly Result[];
  counts: Record<ImportOutcome, number>;
  after: ImportRecord;
}

/** The progress by the outcomes of a step's rows. */
export const computeProgress = (
  current: ImportRecord,
  input: StepInput,
  results: readonly Result[],
  now: number,
): Progress => {
  const count = (outcome: ImportOutcome) => results.filter((result) => result.outcome === outcome).length;
  const counts = Object.fromEntries(importOutcomes.map((outcome) => [outcome, count(outcome)])) as Record<
    ImportOutcome,
    number
  >;
  const sums = importOutcomes.map((outcome) => [outcome, current[outcome] + counts[outcome]]);
  const after: ImportRecord = {
    ...current,
    ...Object.fromEntries(sums),
    lastRow: input.rows.at(-1)?.row ?? current.lastRow,
    updatedAt: now,
    finishedAt: input.finish ? now : null,
  };
  return { current, input, results, counts, after };
};

export const toStepAnswer = ({ results, after }: Progress, language: Language) => ({
  status: 200,
  data: results.map((result) => resultView(result, language)),
  meta: { progress: importView(after) },
});

/** What a step writes in addition to its progress, and the data on which it was decided. */
interface StepWrite {
  writeId: string;
  type: 'patients_imported' | 'visits_imported';
  /** Null of a step that gives no numbers. */
  recordCounter: number | null;
  /** The versions of the records that it changes or adds to, by their ids. */
  versions: Readonly<Record<string, number>>;
  statements: readonly Statement[];
}

/**
 * Writes a step in one batch, if its facts still hold. Returns `overtaken` if a record was changed meanwhile; throws
 * `import_moved_on` if the progress of the import is not the one that the sender expects.
 */
export const writeStep = async (
  { deps: { db }, by }: Pick<Importing<Pick<Deps, 'db'>>, 'deps' | 'by'>,
  { current: { id }, input, results, counts, after }: Progress,
  { writeId, type, recordCounter, versions, statements }: StepWrite,
  response: StoredResponse | null,
): Promise<typeof overtaken | undefined> => {
  const { now } = by;
  const { after_row: afterRow } = input;
  const { lastRow, finishedAt } = after;
  const detail = { import_id: id, after_row: afterRow, last_row: lastRow, ...counts };
  const event = eventRow(toImportEvent(by, { writeId, type, detail }));
  const facts = { importId: id, afterRow, recordCounter, versions: JSON.stringify(versions) };
  const rows = results.map(({ issues, ...result }) => ({
    ...result,
    ...{ writeId, importId: id, now, issues: issuesText(issues) },
  }));
  const { moved } = await runAll(db, {
    event: recordStep(db, { ...event, ...facts, key: response?.idempotency.key ?? null }),
    statements,
    results: insertResults(db, rows),
    moved: moveImport(db, { id, writeId, now, lastRow, finishedAt, ...counts }),
    response: storeResponse(db, recordedBy(by, writeId), response),
  });
  if (moved.length > 0) return undefined;
  await assertNotRepeated(db, recordedBy(by, writeId), response);
  const [stands] = await run(db, findImport(db, { id }));
  if (stands === undefined) throw new Failure('not_found');
  const isFinished = stands.finishedAt !== null;
  if (isFinished || stands.lastRow !== afterRow)
    throw new Failure('import_moved_on', { extras: { last_row: stands.lastRow, finished: isFinished } });
  return overtaken;
};
