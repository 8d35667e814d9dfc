import { readFileSync } from 'node:fs';
import { commonPasswordsIn } from '../../src/modules/auth/passwords/common-passwords.ts';
import { commonPasswordsFile } from '../../src/runtime/node/common-passwords.ts';

export const isCommonPassword = commonPasswordsIn(readFileSync(commonPasswordsFile, 'utf8'));
