// Fills public/: the pages, the reference, and the list of common passwords, which a Worker reads from there.

import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { commonPasswordsFile } from '../src/runtime/node/common-passwords.ts';
import { builtFolder } from '../src/runtime/node/pages/built-files.ts';
import { buildReference } from './reference.ts';
import { buildWeb } from './web.ts';

await Promise.all([buildWeb(), buildReference()]);
copyFileSync(commonPasswordsFile, join(builtFolder, 'common-passwords.txt'));
