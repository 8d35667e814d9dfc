import { type FieldIssue, problemSentence } from '../../../core/endpoint/field-sentences.ts';
import { toIso } from '../../../core/endpoint/instants.ts';
import type { Language } from '../../../core/endpoint/messages.ts';
import type { ImportRecord } from './queries.ts';
import type { Result } from './records.ts';

export const importView = (row: ImportRecord) => ({
  id: row.id,
  kind: row.kind,
  source: row.source,
  on_duplicate: row.onDuplicate,
  date_order: row.dateOrder,
  dry_run: row.dryRun,
  events: row.events,
  status: row.finishedAt === null ? ('open' as const) : ('finished' as const),
  last_row: row.lastRow,
  created: row.created,
  updated: row.updated,
  unchanged: row.unchanged,
  skipped: row.skipped,
  refused: row.refused,
  created_at: toIso(row.createdAt),
  updated_at: toIso(row.updatedAt),
  finished_at: row.finishedAt === null ? null : toIso(row.finishedAt),
});

export const resultView = ({ row, outcome, patientId, issues }: Result, language: Language) => ({
  row,
  outcome,
  patient_id: patientId,
  problems: issues.map((issue) => ({
    field: issue.path,
    rule: issue.rule,
    message: problemSentence(issue)[language],
  })),
});

/** Problems as they are stored: fields and rules, never a value. */
export const issuesText = (issues: readonly FieldIssue[]): string | null =>
  issues.length === 0 ? null : JSON.stringify(issues);

export const issuesIn = (text: string | null): FieldIssue[] =>
  text === null ? [] : (JSON.parse(text) as FieldIssue[]);

export const resultColumns = ['row', 'outcome', 'patient_id', 'problems'] as const;

/** The same as a line of a table. */
export const resultLine = (view: ReturnType<typeof resultView>) => ({
  ...view,
  problems: view.problems.map(({ field, message }) => `${field}: ${message}`).join(' '),
});
