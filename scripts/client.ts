// Builds the client's package: its types from the OpenAPI document, then client/dist.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '../src/interface/reference/document.ts';
import { interfaceTypes } from './interface-types.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

writeFileSync(`${root}client/interface.ts`, await interfaceTypes(openApiDocument()));
const { status } = spawnSync(`${root}node_modules/.bin/tsc`, ['-p', `${root}tsconfig.build.json`], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
