import { commonPasswordsIn } from '../../src/modules/auth/passwords/common-passwords.ts';
import list from '../../src/modules/auth/passwords/common-passwords.txt?raw';

export const isCommonPassword = commonPasswordsIn(list);
