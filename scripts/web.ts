// Builds the pages into public/, from which both runtimes serve them: one build for each app, compressed files, the
// list that Node serves by, and the headers and the licences. `npm start` runs it first: it does nothing if public/ is
// newer than its sources, or if it cannot build.

import { builtList } from '../src/runtime/node/pages/built-files.ts';
import { isFresh, isInstalled, writtenAt } from './fresh.ts';

const list = `public/${builtList}`;
const sources = [
  'web/**',
  'client/index.ts',
  'scripts/{web,publish,licences}.ts',
  'scripts/web/**',
  'src/core/http/pages/page-headers.ts',
  'package-lock.json',
];

/** Builds the pages, unless they are built already. */
export const buildWeb = async (): Promise<void> => {
  if (isFresh(list, sources)) return;
  if (!isInstalled('vite')) {
    if (writtenAt(list) === 0)
      process.stderr.write(
        'The pages are not built, and Vite is not installed: the service runs without them.\n',
      );
    return;
  }
  const { build } = await import('./web/build.ts');
  const { NODE_ENV: before } = process.env;
  // Makes Vite use the libraries' production builds. A service that this process starts next must not see it: it would
  // require production secrets.
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
