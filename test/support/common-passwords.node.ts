import { readFileSync } from 'node:fs';
import { commonPasswordsIn } from '../../src/auth/passwords/common-passwords.ts';
import { commonPasswordsFile } from '../../src/node/common-passwords.ts';

export const isCommonPassword = commonPasswordsIn(readFileSync(commonPasswordsFile, 'utf8'));
