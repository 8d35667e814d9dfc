import { readFile } from 'node:fs/promises';
import { commonPasswordsIn, type IsCommonPassword } from '../auth/passwords/common-passwords.ts';

/** Where the list lies; a Worker has it among its static assets. */
export const commonPasswordsFile = new URL('../auth/passwords/common-passwords.txt', import.meta.url);

let known: IsCommonPassword | undefined;

/** Reads the list from the disk, once. */
export const commonPasswords = async (): Promise<IsCommonPassword> => {
  known ??= commonPasswordsIn(await readFile(commonPasswordsFile, 'utf8'));
  return known;
};
