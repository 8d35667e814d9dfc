import { resolve } from 'node:path';
import type { Command } from 'commander';
import { importCopy } from '../move/import.ts';
import { addD1Options, type D1Options, placeOf } from '../wrangler.ts';
import { note, tell } from './telling.ts';

/** `import`: fills a new database, wherever it is, from a copy. */
export const addImport = (program: Command): void => {
  const command = program
    .command('import')
    .argument('<file>', 'a backup or an export')
    .description('Fills the empty database of DATABASE_URL, or D1, with all rows of a verified copy.')
    .addHelpText(
      'after',
      `
Cut short, it leaves a database on which the service refuses to start (its time zone is "(import unfinished)"): make
a new one and begin anew. Give the new place the JWT_SECRET of the old one: webhooks' secrets are sealed with it.
Exit codes: 0 every row arrived, 1 refused or cut short.`,
    );
  addD1Options(command).action(async (file: string, options: D1Options) => {
    const counted = await importCopy(resolve(file), placeOf(options), process.env, note);
    tell(`${counted} rows imported and counted`);
  });
};
