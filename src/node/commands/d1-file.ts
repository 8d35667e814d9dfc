import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type D1Place, runOnD1 } from '../wrangler.ts';

type Value = string | number | null | undefined;

/** A value as SQL has it. */
export const literal = (value: Value): string => {
  if (value === null || value === undefined) return 'null';
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;
};

/** An insert as text, for a file that wrangler executes. */
export const insertText = (table: string, row: Readonly<Record<string, Value>>): string =>
  `insert into ${table} (${Object.keys(row).join(', ')}) values (${Object.values(row).map(literal).join(', ')});`;

/** Has wrangler execute statements on the D1 database bound as DB, through a file that only its owner can read. */
export const executeOnD1 = (statements: readonly string[], place: D1Place): void => {
  const folder = mkdtempSync(join(tmpdir(), 'janji-'));
  const file = join(folder, 'statements.sql');
  try {
    writeFileSync(file, `${statements.join('\n')}\n`, { mode: 0o600 });
    const { status, stdout, stderr } = runOnD1(['execute'], place, ['--yes', '--file', file]);
    if (status === 0) return;
    if (/UNIQUE constraint failed: users\.email/.test(stdout + stderr))
      throw new Error('This e-mail is already registered.');
    throw new Error(`D1 refused the change.\n${stderr}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
};
