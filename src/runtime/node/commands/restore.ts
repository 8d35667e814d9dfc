import { resolve } from 'node:path';
import type { Command } from 'commander';
import { parseConfig } from '../../../core/settings/config.ts';
import { withOpened } from '../backup/age.ts';
import { restore, setAside } from '../backup/restore.ts';
import { inWords, readContents } from '../backup/soundness.ts';
import { unsettleArchive } from '../backup/with-archive.ts';
import { countUnsignable } from '../checks/sealed-secrets.ts';
import { findArchiveFile } from '../database/archive.ts';
import { parseFilePath } from '../database/database-file.ts';
import { parseNodeSettings } from '../settings.ts';
import { documented, give, type JsonOption } from './documented.ts';
import { note, tell } from './terminal.ts';

/** `restore`: replaces the embedded database by a verified copy. */
export const addRestore = (program: Command): void => {
  const command = program
    .command('restore')
    .argument('<file>', 'a backup or an export')
    .option('--force', 'replace a database that is there; it is kept beside the new one', false)
    .option('--as-new', 'make it another clinic, which takes no token of the one that the copy is of', false)
    .description(
      'Verifies a copy and makes it the embedded database of DATABASE_URL; stop the service first.',
    )
    .addHelpText(
      'after',
      `
Everything is prepared beside the database, and takes its place in one step: ended before that, nothing has changed.
Start the service with the DATA_KEY of the copy: with another one national and insurance numbers are not readable, and
webhooks pause until their secrets are rotated and they are resumed; with another JWT_SECRET access tokens are renewed.
A copy that is encrypted by age opens with BACKUP_IDENTITY_FILE. The database is encrypted with DATABASE_KEY if that is
set, and plain if not. With --as-new that is so whatever the secret: for trying a copy out,
or for a second clinic that begins as the first one stands.`,
    )
    .action(async (file: string, given: JsonOption & { force: boolean; asNew: boolean }) => {
      const { force, asNew } = given;
      const settings = parseNodeSettings(process.env);
      const { DATABASE_URL, DATABASE_KEY: key, BACKUP_IDENTITY_FILE } = settings;
      const target = parseFilePath(DATABASE_URL, 'import fills a remote database.');
      const options = { force, asNew, now: Date.now(), progress: note, key };
      // Before the copy takes its place: ended in between, the archive is compared with what stands, which changes nothing.
      const archive = findArchiveFile(settings);
      if (archive !== null && !asNew) unsettleArchive(archive, key);
      const aside = await withOpened(resolve(file), BACKUP_IDENTITY_FILE, (copy) =>
        restore(copy, target, options),
      );
      if (aside !== null) note(`What was there is kept as ${aside}`);
      // It is that of another clinic from now on; what it had is in the copy.
      if (archive !== null && asNew) note(`Its archive is kept as ${setAside(archive, options.now)}`);
      const unsignable = await countUnsignable(target, process.env);
      if (unsignable > 0)
        note(
          asNew
            ? `${unsignable} webhooks cannot be signed by another clinic: rotate their secrets and resume them.`
            : `${unsignable} webhooks cannot be signed with this DATA_KEY and CLINIC_ID: set the copy's, or rotate their secrets and resume them.`,
        );
      if (asNew && parseConfig(process.env).CLINIC_ID !== undefined)
        note('CLINIC_ID is set, and wins over the new id: give this clinic one of its own, or unset it.');
      const contents = await readContents(target, note, key);
      give(given, { path: target, kept_as: aside, unsignable_webhooks: unsignable, ...contents }, () =>
        tell(`${target}: ${inWords(contents)}`),
      );
    });
  documented(command, {
    examples: ['restore /backup/janji.db --force', 'restore --as-new /backup/janji.db'],
    exitCodes: '0 restored, 1 refused, and nothing was changed',
  });
};
