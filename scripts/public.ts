// Fills public/ for Workers: the files of the reference and the list of common passwords, which Node makes at run time, and
// the pages, which it serves from there, too.

import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commonPasswordsFile } from '../src/node/common-passwords.ts';
import { publicFile, publicPaths } from '../src/node/serve/public-files.ts';
import { buildWeb } from './web.ts';

const folder = fileURLToPath(new URL('../public', import.meta.url));

for (const path of publicPaths) {
  const file = await publicFile(path);
  if (file === null) throw new Error(`${path} cannot be made.`);
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), file.content as Uint8Array);
}
copyFileSync(commonPasswordsFile, join(folder, 'common-passwords.txt'));
await buildWeb();
