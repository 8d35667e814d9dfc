// Compares the interface with that of the last release: prints the changelog by operation, and fails on a change that
// breaks a client. `--release 1.2.0` writes both to docs/api/, where the next comparison begins.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '../src/interface/reference/document.ts';
import { packageFolder as root } from '../src/runtime/node/package-folder.ts';
import { accepted } from './api-changes/accepted.ts';
import { changelog, compareSurfaces } from './api-changes/compare.ts';
import { readSurface, surfaceOf, writeSurface } from './api-changes/surface.ts';

const released = join(root, 'docs/api/released.txt');
const history = join(root, 'docs/api/changelog.md');

const present = surfaceOf(openApiDocument());
const today = new Date().toISOString().slice(0, 10);
const changes = compareSurfaces(readSurface(readFileSync(released, 'utf8')), present, today);
const breaking = changes
  .filter(({ isBreaking }) => isBreaking)
  .map(({ operation, what }) => `${operation}: ${what}`)
  .filter((line) => accepted[line] === undefined);

process.stdout.write(
  changes.length === 0 ? 'The interface is that of the last release.\n' : `${changelog(changes)}\n`,
);
if (breaking.length > 0) {
  process.stderr.write(
    `These break a client (docs/integrating.md#what-may-change):\n${breaking.join('\n')}\n`,
  );
  process.exitCode = 1;
}

const [flag, version] = process.argv.slice(2);
if (flag === '--release' && version !== undefined && breaking.length === 0) {
  const before = readFileSync(history, 'utf8');
  const at = before.indexOf('\n## ');
  const head = at < 0 ? before.trimEnd() : before.slice(0, at).trimEnd();
  const rest = at < 0 ? '' : before.slice(at).trimEnd();
  writeFileSync(history, `${head}\n\n## ${version} (${today})\n\n${changelog(changes).trimEnd()}\n${rest}\n`);
  writeFileSync(released, writeSurface(present));
}
