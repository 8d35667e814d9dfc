import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { withOpened } from '../backup/age.ts';
import { checksumPathOf } from '../backup/checksum.ts';
import { explainUnsoundness, inWords, readContents } from '../backup/soundness.ts';
import { parseNodeSettings } from '../settings.ts';
import { documented, give, type JsonOption } from './documented.ts';
import { note, tell } from './terminal.ts';

/** `verify`: checks whether a backup, or the database itself, is intact. */
export const addVerify = (program: Command): void => {
  const command = program
    .command('verify')
    .argument('<file>', 'a backup, an export, or the database itself')
    .description('Says whether a database file is whole, of this service, and adds up; changes nothing.')
    .action(async (file: string, options: JsonOption) => {
      const path = resolve(file);
      const { DATABASE_KEY: key, BACKUP_IDENTITY_FILE: identityFile } = parseNodeSettings(process.env);
      const { problems, contents } = await withOpened(path, identityFile, async (opened) => {
        const problems = await explainUnsoundness(opened, note, key);
        return { problems, contents: problems.length === 0 ? await readContents(opened, note, key) : null };
      });
      const hasChecksum = existsSync(checksumPathOf(path));
      const isSound = contents !== null;
      if (!isSound) process.exitCode = 1;
      give(options, { file, sound: isSound, problems, checksum: hasChecksum, ...contents }, () => {
        if (!isSound) return note(`${path} is not sound:\n${problems.join('\n')}`);
        tell(`${file} is sound: ${inWords(contents)}${hasChecksum ? '' : ' (no checksum beside it)'}`);
      });
    });
  documented(command, {
    examples: ['verify /backup/janji.db', 'verify data/janji.db --json'],
    exitCodes: '0 sound, 1 not sound or not there',
  });
};
