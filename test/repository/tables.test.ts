import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { is } from 'drizzle-orm';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { expect, it } from 'vitest';

type Table = ReturnType<typeof getTableConfig>;

const tables: Table[] = [];
for (const path of globSync('src/core/tables/*.ts'))
  for (const value of Object.values(await import(resolve(path))))
    if (is(value, SQLiteTable)) tables.push(getTableConfig(value));

const drawing = [...readFileSync('docs/tables.md', 'utf8').matchAll(/```mermaid\nerDiagram\n([\s\S]*?)```/g)]
  .map(([, text = '']) => text)
  .join('');

const isKey = (table: Table, name: string) =>
  table.columns.some((column) => column.name === name && column.primary) ||
  table.primaryKeys.some(({ columns }) => columns.some((column) => column.name === name));

const mayBeNull = (table: Table | undefined, name: string) =>
  table?.columns.some((column) => column.name === name && !column.notNull) === true;

const drawnTables = [...drawing.matchAll(/^ {2}(\w+) \{\n([\s\S]*?)\n {2}\}$/gm)].map(
  ([, name = '', columns = '']) => [name, columns.split('\n').map((column) => column.trim())] as const,
);
const lines = [...drawing.matchAll(/^ {2}(\w+) (\|[|o])(--|\.\.)o\{ (\w+) : (\w+)$/gm)].map(
  ([, parent = '', one = '', kind = '', child = '', column = '']) => ({ parent, one, kind, child, column }),
);

it('the pictures of the tables show every table with all of its columns and keys, and nothing else', () => {
  const known = tables.map(
    (table) =>
      [
        table.name,
        table.columns.map(
          (column) => `${column.getSQLType()} ${column.name}${isKey(table, column.name) ? ' PK' : ''}`,
        ),
      ] as const,
  );
  expect(new Map(drawnTables)).toEqual(new Map(known));
  expect(drawnTables).toHaveLength(tables.length);
});

it('the pictures of the tables draw each foreign key as a solid line, and no other', () => {
  const keys = tables.flatMap((table) =>
    table.foreignKeys.map((key) => {
      const { foreignTable, columns } = key.reference();
      return `${getTableConfig(foreignTable).name} ${table.name} ${columns.map(({ name }) => name)}`;
    }),
  );
  const solid = lines.filter(({ kind }) => kind === '--');
  expect(solid.map(({ parent, child, column }) => `${parent} ${child} ${column}`).sort()).toEqual(
    keys.sort(),
  );
});

it('the lines of the pictures name columns that hold such an id, and say whether there may be none', () => {
  const named = (wanted: string) => tables.find(({ name }) => name === wanted);
  expect(lines.length).toBeGreaterThan(20);
  for (const { parent, one, child, column } of lines) {
    expect(named(parent)).toBeDefined();
    expect(named(child)?.columns.map(({ name }) => name)).toContain(column);
    // An owner is a person or a doctor, and so neither for certain.
    const mayBeAbsent = column === 'owner_id' || mayBeNull(named(child), column);
    expect({ child, column, one }).toEqual({ child, column, one: mayBeAbsent ? '|o' : '||' });
  }
});
