import { commonPasswordsIn } from '../../src/auth/passwords/common-passwords.ts';
import list from '../../src/auth/passwords/common-passwords.txt?raw';

export const isCommonPassword = commonPasswordsIn(list);
