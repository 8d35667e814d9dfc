// Writes the next migration from the tables, as drizzle-kit does with the same options, and appends the check of the
// foreign keys: wrangler applies the file unchanged. The pictures of docs/tables.md get the columns of today.

import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { foreignKeyCheck } from '../src/core/db/foreign-key-check.ts';
import { knownMigrations, migrationsFolder } from '../src/runtime/node/database/migrations.ts';

const before = new Set(knownMigrations().map(({ name }) => name));
const { status } = spawnSync('drizzle-kit', ['generate', ...process.argv.slice(2)], { stdio: 'inherit' });
process.exitCode = status ?? 1;
for (const { name } of knownMigrations().filter((migration) => !before.has(migration.name))) {
  const path = join(migrationsFolder, `${name}.sql`);
  const end = readFileSync(path, 'utf8').endsWith('\n') ? '' : '\n';
  appendFileSync(path, `${end}--> statement-breakpoint\n${foreignKeyCheck}\n`);
  process.stdout.write(`${name}.sql ends with the check of the foreign keys.\n`);
}
if (status === 0) await import('./draw-columns.ts');
