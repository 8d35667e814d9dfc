import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { foreignKeyCheck } from '../../src/core/db/foreign-key-check.ts';

const folder = fileURLToPath(new URL('../../drizzle', import.meta.url));
const migrations = readdirSync(folder).filter((name) => name.endsWith('.sql'));

/** Statements with which a migration deletes rows on D1, which reports success all the same. */
const deletesChildren = (sql: string): boolean =>
  /\bcascade\b/i.test(sql) || (/\bdrop\s+table\b/i.test(sql) && /foreign_keys\s*=\s*off/i.test(sql));

it('knows a migration that would delete child rows on D1', () => {
  expect(deletesChildren('REFERENCES `users`(`id`) ON DELETE CASCADE')).toBe(true);
  expect(deletesChildren('PRAGMA foreign_keys=OFF;\nDROP TABLE `users`;')).toBe(true);
  expect(deletesChildren('ON UPDATE no action ON DELETE no action')).toBe(false);
});

it.each(migrations)('%s deletes no child rows on D1', (name) => {
  expect(deletesChildren(readFileSync(`${folder}/${name}`, 'utf8'))).toBe(false);
});

// The first one was released before the rule, and makes tables that are empty.
it.each(migrations.filter((name) => !name.startsWith('0000_')))(
  '%s ends with the check of the foreign keys, as `npm run migrations` writes it',
  (name) => {
    expect(readFileSync(`${folder}/${name}`, 'utf8').trimEnd().endsWith(foreignKeyCheck)).toBe(true);
  },
);

it('found the migrations', () => expect(migrations.length).toBeGreaterThan(0));
