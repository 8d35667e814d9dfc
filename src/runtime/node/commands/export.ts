import { resolve } from 'node:path';
import type { Command } from 'commander';
import { addD1Options, type D1Options, toPlace } from '../d1/wrangler.ts';
import { exportCopy } from '../move/export.ts';
import { documented, type JsonOption, tellMade } from './documented.ts';
import { note } from './terminal.ts';

/** `export`: writes any database of this service to a file for `restore` or `import`. */
export const addExport = (program: Command): void => {
  const command = program
    .command('export')
    .argument('<file>', 'where the rows go; an existing file is never overwritten')
    .description('Copies the database of DATABASE_URL, or D1, into a file that import and restore take.')
    .addHelpText(
      'after',
      `
The file is a SQLite database, as that of backup. A remote libSQL database must not be written to meanwhile: stop its
service, or the export is refused.`,
    );
  addD1Options(command).action(async (file: string, options: D1Options & JsonOption) => {
    tellMade(file, await exportCopy(resolve(file), toPlace(options), process.env, note), options);
  });
  documented(command, {
    examples: ['export move.db', 'export --d1 --remote move.db'],
    exitCodes: '0 made and verified, 1 not made, 2 made of data that is not sound',
  });
};
