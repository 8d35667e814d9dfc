// Writes the columns of each table that docs/tables.md draws. Lines between tables, and a new table, are drawn by hand.

import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { is } from 'drizzle-orm';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { packageFolder as root } from '../src/runtime/node/package-folder.ts';

const columnsOf = (table: SQLiteTable): [name: string, lines: string] => {
  const { name, columns, primaryKeys } = getTableConfig(table);
  const keys = new Set(primaryKeys.flatMap((key) => key.columns.map((column) => column.name)));
  const lines = columns.map(
    (column) =>
      `    ${column.getSQLType()} ${column.name}${column.primary || keys.has(column.name) ? ' PK' : ''}`,
  );
  return [name, lines.join('\n')];
};

/** The columns of every table, as a picture draws them. */
const allColumns = async (): Promise<Map<string, string>> => {
  const paths = globSync('src/core/tables/*.ts', { cwd: root });
  const modules = await Promise.all(paths.map((path) => import(pathToFileURL(join(root, path)).href)));
  const tables = modules.flatMap((each) => Object.values(each)).filter((each) => is(each, SQLiteTable));
  return new Map(tables.map((table) => columnsOf(table as SQLiteTable)));
};

const document = join(root, 'docs/tables.md');
const columns = await allColumns();
const before = readFileSync(document, 'utf8');
const after = before.replaceAll(
  /^( {2}(\w+) \{\n)[\s\S]*?(\n {2}\})$/gm,
  (whole, begins: string, name: string, ends: string) => {
    const lines = columns.get(name);
    return lines === undefined ? whole : `${begins}${lines}${ends}`;
  },
);
if (after !== before) {
  writeFileSync(document, after);
  process.stdout.write('docs/tables.md has the columns of today.\n');
}
