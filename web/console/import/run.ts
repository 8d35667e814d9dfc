import type { VisitField } from '../../../src/modules/booking/import/cell-rules.ts';
import { visitFile } from '../../../src/modules/booking/import/column-rules.ts';
import { type ImportField, maxRows } from '../../../src/modules/patients/import/cell-rules.ts';
import {
  type FileFields,
  type FileForm,
  fileRows,
  type OpenFile,
  patientFile,
  rowSteps,
  type StepRow,
} from '../../../src/modules/patients/import/reader.ts';
import { newKey } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import type { Schemas } from '../data/bookings.ts';

export type Import = Schemas['PatientImport'];
export type RowResult = Schemas['PatientImportResult'];

export type Kind = Import['kind'];
export type AnyField = ImportField | VisitField;

/** The columns of each kind of file. */
export const filesOf: Readonly<Record<Kind, FileFields<AnyField>>> = {
  patients: patientFile,
  visits: visitFile,
};

/** The settings for the import of one file. */
export interface Plan {
  kind: Kind;
  open: OpenFile;
  form: FileForm;
  columns: readonly (AnyField | null)[];
  source: string;
  onDuplicate: Import['on_duplicate'];
  /** Whether each visit gets an event. */
  events: boolean;
  dateOrder: NonNullable<Import['date_order']> | null;
  fileKey: string | null;
}

/** The chunks of a file. Not every browser can iterate over a stream. */
export const toOpener = (file: Blob): OpenFile =>
  async function* () {
    const reader = file.stream().getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  };

/** A hash of a file and of the meaning of its columns; null if the browser cannot compute one. */
export const hashFileKey = async (file: Blob, columns: Plan['columns']): Promise<string | null> => {
  // Without https there is none, but on this machine itself.
  if (globalThis.crypto.subtle === undefined) return null;
  const content = new Blob([JSON.stringify(columns), file]);
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await content.arrayBuffer()));
  return `sha256-${[...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
};

const imports = api.v1.admin.imports;

export const begin = async (plan: Plan, isDryRun: boolean): Promise<Import> => {
  const { kind, source, onDuplicate, events, dateOrder, fileKey } = plan;
  const json = {
    ...(source !== '' && { source }),
    kind,
    // Visits that are there are left as they are.
    ...(kind === 'patients' ? { on_duplicate: onDuplicate } : { events }),
    dry_run: isDryRun,
    ...(dateOrder !== null && { date_order: dateOrder }),
    ...(fileKey !== null && { file_key: fileKey }),
  };
  return (await take(imports.$post({ json, header: { 'Idempotency-Key': newKey() } }))).data;
};

/** As much of a body of 64 KB as rows may take. */
const maxBytes = 56_000;

/** Sends the remaining rows, step by step, and reports each step. */
export const sendRows = async (
  plan: Plan,
  { id }: Import,
  onStep: (now: Import, results: readonly RowResult[]) => void,
): Promise<void> => {
  // Sent again: a step whose answer was lost may have been accepted.
  let { data: now } = await take(imports[':id'].$get({ param: { id } }));
  onStep(now, []);
  if (now.status === 'finished') return;
  const send = async (rows: StepRow<AnyField>[], finish: boolean) => {
    const answer = await sendStep(plan.kind, now, id, rows, finish);
    now = answer.meta.progress;
    onStep(now, answer.data);
  };
  const limits = { afterRow: now.last_row, maxRows, maxBytes };
  for await (const rows of rowSteps(fileRows(plan.open, plan.form), plan.columns, limits))
    if (rows.length > 0) await send(rows, false);
  await send([], true);
};

const sendStep = (
  kind: Kind,
  { last_row }: Import,
  id: string,
  rows: StepRow<AnyField>[],
  finish: boolean,
) => {
  const step = {
    param: { id },
    json: { after_row: last_row, rows, finish },
    header: { 'Idempotency-Key': newKey() },
  };
  return kind === 'visits' ? take(imports[':id'].visits.$post(step)) : take(imports[':id'].rows.$post(step));
};
