// `npm run build`, and before `npm start`: builds the parts of the pages, the reference and dist/ that are older than
// their sources. Without the development tools, the existing build is served.

import { isFresh, isInstalled } from './fresh.ts';
import { buildReference } from './reference.ts';
import { buildWeb } from './web.ts';

const sources = ['src/**', 'scripts/{build,build-node,licences}.ts', 'package.json', 'package-lock.json'];

const buildService = async (): Promise<void> => {
  // Written last: a build that was broken off is not fresh.
  if (isFresh('dist/licenses.txt', sources) || !isInstalled('rolldown')) return;
  const { buildNode } = await import('./build-node.ts');
  await buildNode();
};

await Promise.all([buildWeb(), buildReference(), buildService()]);
