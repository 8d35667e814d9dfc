import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { withOpened } from '../backup/age.ts';
import { checksumPathOf } from '../backup/checksum.ts';
import { assertSound, summaryOf } from '../backup/soundness.ts';
import { parseNodeSettings } from '../settings.ts';
import { note, tell } from './terminal.ts';

/** `verify`: checks whether a backup, or the database itself, is intact. */
export const addVerify = (program: Command): void => {
  program
    .command('verify')
    .argument('<file>', 'a backup, an export, or the database itself')
    .description('Says whether a database file is whole, of this service, and adds up; changes nothing.')
    .addHelpText('after', '\nExit codes: 0 sound, 1 not sound or not there.')
    .action(async (file: string) => {
      const path = resolve(file);
      const { DATABASE_KEY: key, BACKUP_IDENTITY_FILE: identityFile } = parseNodeSettings(process.env);
      const summary = await withOpened(path, identityFile, async (opened) => {
        await assertSound(opened, note, key);
        return summaryOf(opened, key);
      });
      const checked = existsSync(checksumPathOf(path)) ? '' : ' (no checksum beside it)';
      tell(`${file} is sound: ${summary}${checked}`);
    });
};
