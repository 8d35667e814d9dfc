import { resolve } from 'node:path';
import type { Command } from 'commander';
import { counted } from '../counted-rules.ts';
import { addD1Options, type D1Options, toPlace } from '../d1/wrangler.ts';
import { importCopy } from '../move/import.ts';
import { documented, give, type JsonOption } from './documented.ts';
import { note, tell } from './terminal.ts';

/** `import`: fills a new database, embedded or remote, from a copy. */
export const addImport = (program: Command): void => {
  const command = program
    .command('import')
    .argument('<file>', 'a backup or an export')
    .option('--keep-id', 'the same clinic in another place: logins go on, and webhooks are signed', false)
    .description('Fills the empty database of DATABASE_URL, or D1, with all rows of a verified copy.')
    .addHelpText(
      'after',
      `
Cut short, it leaves a database on which the service refuses to start (its time zone is "(import unfinished)"): make
a new one and begin anew. To move a clinic, take --keep-id and give the new place the JWT_SECRET and DATA_KEY of the old one, and its
CLINIC_ID if it had one. Without --keep-id it becomes another clinic: everybody logs in anew, and webhooks pause until
their secrets are rotated and they are resumed.`,
    );
  addD1Options(command).action(
    async (file: string, options: D1Options & JsonOption & { keepId: boolean }) => {
      const rows = await importCopy(resolve(file), toPlace(options), process.env, note, options.keepId);
      give(options, { rows }, () => tell(`${counted(rows, 'row')} imported and counted`));
    },
  );
  documented(command, {
    examples: ['import --keep-id move.db', 'import --keep-id --d1 --remote move.db'],
    exitCodes: '0 every row arrived, 1 refused or cut short',
  });
};
