// Makes a client from the document that a running service serves, by a public generator, and has it make every call
// that needs no secret, with the document's own examples: they have to compile, and each has to succeed.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startNode } from '../test/support/servers.ts';
import { callsOf, type Document } from './generated-client/calls.ts';
import { interfaceTypes } from './interface-types.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'janji-generated-'));
const opening = readFileSync(join(root, 'scripts/generated-client/opening.txt'), 'utf8');

const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  module: 'nodenext',
  target: 'es2024',
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
};

const run = (command: string, ...options: string[]): void => {
  const { status, stdout, stderr } = spawnSync(command, options, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${stdout}${stderr}`);
  process.stdout.write(stdout);
};

// The program books what begins in a few minutes, as a patient.
const server = await startNode(join(folder, 'data'), { MIN_NOTICE_MINUTES: '0' });
try {
  const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as Document;
  const { names, lines } = callsOf(document);
  const closing = `process.stdout.write(\`\${made.length} of ${names.length} calls\\n\`);`;
  writeFileSync(join(folder, 'interface.ts'), await interfaceTypes(document));
  writeFileSync(join(folder, 'program.ts'), [opening, ...lines, closing, ''].join('\n'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  run(join(root, 'node_modules/.bin/tsc'), '-p', folder);
  run(process.execPath, 'program.ts', server.url);
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
