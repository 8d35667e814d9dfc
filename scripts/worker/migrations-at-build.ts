import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';

const root = fileURLToPath(new URL('../..', import.meta.url));

const migrationsOf = (folder: string) => {
  const migrationsFolder = join(root, folder);
  const journal = JSON.parse(readFileSync(join(migrationsFolder, 'meta/_journal.json'), 'utf8'));
  const names = (journal.entries as { tag: string }[]).map(({ tag }) => tag);
  return readMigrationFiles({ migrationsFolder }).map(({ sql, folderMillis, hash }, at) => ({
    name: names[at],
    madeAt: folderMillis,
    hash,
    // Comments count in the size of the Worker.
    statements: sql.map((text) => text.replaceAll(/^--.*\n/gm, '')).filter((text) => text.trim() !== ''),
  }));
};

const specifier = 'janji:migrations';

/**
 * Gives a Worker the migrations of clinics and of their directory: an object has no files, and migrates itself. A plugin of
 * rolldown and of vite.
 */
export const migrationsAtBuild = {
  name: 'migrations-at-build',
  resolveId: (id: string) => (id === specifier ? `\0${specifier}` : undefined),
  load: (id: string) =>
    id === `\0${specifier}`
      ? {
          code: `export const ofClinics = ${JSON.stringify(migrationsOf('drizzle'))};
export const ofDirectory = ${JSON.stringify(migrationsOf('drizzle-directory'))};\n`,
          moduleType: 'js' as const,
        }
      : undefined,
};
