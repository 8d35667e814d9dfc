import { resolve } from 'node:path';
import type { Command } from 'commander';
import { backUp } from '../backup/backup.ts';
import { findArchiveFile } from '../database/archive.ts';
import { parseFilePath } from '../database/database-file.ts';
import { parseNodeSettings } from '../settings.ts';
import { documented, type JsonOption, tellMade } from './documented.ts';
import { note } from './terminal.ts';

/** `backup`: a copy of the embedded database as of one moment, while it serves. */
export const addBackup = (program: Command): void => {
  const command = program
    .command('backup')
    .argument('<file>', 'where the copy goes; an existing file is never overwritten')
    .description('Copies the embedded database of DATABASE_URL as of one moment, while it serves.')
    .addHelpText(
      'after',
      `
The copy and its checksum (FILE.sha256) can be read by their owner alone. They hold everything but the
keys: DATA_KEY, with which national and insurance numbers and the secrets of webhooks are sealed, and DATABASE_KEY, with
which the copy is encrypted as the database is. What is archived is in the same copy. With BACKUP_RECIPIENT the copy is encrypted by age as well, and restore
takes the identity from BACKUP_IDENTITY_FILE. Keep the keys too, elsewhere.`,
    )
    .action(async (file: string, options: JsonOption) => {
      const settings = parseNodeSettings(process.env);
      const { DATABASE_URL, DATABASE_KEY: key, BACKUP_RECIPIENT: recipient } = settings;
      const source = parseFilePath(DATABASE_URL, 'export copies a remote database.');
      tellMade(
        file,
        await backUp(source, resolve(file), note, { key, recipient }, findArchiveFile(settings)),
        options,
      );
    });
  documented(command, {
    examples: ['backup /backup/janji.db', 'backup "/backup/janji-$(date +%F-%H%M).db" --json'],
    exitCodes: '0 made and verified, 1 not made, 2 made of data that is not sound',
  });
};
