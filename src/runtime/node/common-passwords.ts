import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IsCommonPassword } from '../../core/deps.ts';
import { commonPasswordsIn } from '../../modules/auth/passwords/common-passwords.ts';
import { packageFolder } from './package-folder.ts';

/** The path of the list; a Worker has it among its static assets. */
export const commonPasswordsFile = join(packageFolder, 'src/modules/auth/passwords/common-passwords.txt');

let known: IsCommonPassword | undefined;

/** Reads the list from the disk, once. */
export const commonPasswords = async (): Promise<IsCommonPassword> => {
  known ??= commonPasswordsIn(await readFile(commonPasswordsFile, 'utf8'));
  return known;
};
