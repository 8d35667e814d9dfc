// Writes client/interface.ts, the types of the whole API: the pages are type-checked against it.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '../src/interface/reference/document.ts';
import { interfaceTypes } from './interface-types.ts';

const path = fileURLToPath(new URL('../client/interface.ts', import.meta.url));
try {
  const types = await interfaceTypes(openApiDocument());
  if (!existsSync(path) || readFileSync(path, 'utf8') !== types) writeFileSync(path, types);
} catch (cause) {
  // Where a contract names what is not there, the compiler says which.
  if (spawnSync('tsc', ['-p', '.'], { stdio: 'inherit' }).status === 0) throw cause;
  process.exitCode = 1;
}
