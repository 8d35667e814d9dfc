// Writes what each scope of an API key can call into docs/integrating.md.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder as root } from '../src/runtime/node/package-folder.ts';
import { withScopes } from './documents/scopes.ts';

const document = join(root, 'docs/integrating.md');
const before = readFileSync(document, 'utf8');
const after = withScopes(before);
if (after !== before) {
  writeFileSync(document, after);
  process.stdout.write('docs/integrating.md has the scopes of today.\n');
}
