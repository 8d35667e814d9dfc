// Builds the pages into public/, where both runtimes serve them from: one build an app, files packed beside them, the
// list that Node serves by, and the headers and the licences. `npm start` runs it first: it does nothing while what
// stands in public/ is newer than its sources, or where it cannot build.

import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtFolder, builtList } from '../src/node/pages/built-files.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = [
  'web/**',
  'client/index.ts',
  'scripts/web.ts',
  'scripts/web/**',
  'src/http/pages/page-headers.ts',
  'package-lock.json',
];

const timeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const isFresh = (): boolean => {
  const builtAt = timeOf(join(builtFolder, builtList));
  return builtAt > 0 && globSync(sources, { cwd: root }).every((path) => timeOf(join(root, path)) <= builtAt);
};

const viteIsInstalled = (): boolean => timeOf(join(root, 'node_modules/vite/package.json')) > 0;

/** Builds the pages, unless they are built already. */
export const buildWeb = async (): Promise<void> => {
  if (isFresh()) return;
  if (!viteIsInstalled()) {
    if (timeOf(join(builtFolder, builtList)) === 0)
      process.stderr.write(
        'The pages are not built, and Vite is not installed: the service runs without them.\n',
      );
    return;
  }
  const { build } = await import('./web/build.ts');
  const { NODE_ENV: before } = process.env;
  // Vite takes the libraries' parts for production by it, whoever builds. A service that this process starts next must not
  // see it: it would ask for its secrets.
  process.env.NODE_ENV = 'production';
  await build();
  if (before === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = before;
};

if (import.meta.main) {
  await buildWeb();
  if (process.argv.includes('--sizes')) {
    const { sizes } = await import('./web/sizes.ts');
    process.exitCode = sizes() ? 0 : 1;
  }
}
