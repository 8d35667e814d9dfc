// Writes dist/: the service, the command line and their threads as JavaScript, with the libraries that they use. Native
// packages are not bundled: they are package.json's dependencies.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { packageFolder as root } from '../src/runtime/node/package-folder.ts';
import { type Licence, licenceIn, noticesOf, packageFoldersOf } from './licences.ts';

const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  dependencies: Readonly<Record<string, string>>;
};

/** Threads and processes are started by the names of files, so each is one, beside the others. */
export const programs = {
  janji: 'src/janji.ts',
  'password-hashing-thread': 'src/runtime/node/hashing/password-hashing-thread.ts',
  'writing-thread': 'src/core/db/embedded/writing-thread.ts',
  'file-thread': 'src/core/db/embedded/file-thread.ts',
  'live-copy-process': 'src/runtime/node/backup/live-copy-process.ts',
  'backup-process': 'src/runtime/node/backup/backup-process.ts',
};

/** Wrangler is not included: an operator with a D1 database has it. */
const notBundled = ['wrangler'];

/** Builds dist/ from nothing, unless `write` is false; returns the packages whose code is in it or in the reference. */
export const buildNode = async ({ write = true } = {}): Promise<Licence[]> => {
  const folder = join(root, 'dist');
  const { output } = await build({
    cwd: root,
    input: programs,
    platform: 'node',
    external: [/^node:/, ...Object.keys(dependencies), ...notBundled],
    write,
    output: {
      dir: folder,
      cleanDir: true,
      format: 'esm',
      sourcemap: true,
      // V8 holds the text of each module. In ASCII a character takes one byte, and otherwise two.
      charset: 'ascii',
      minify: { mangle: false },
      comments: false,
    },
  });
  const files = output.flatMap((each) => (each.type === 'chunk' ? each.moduleIds : []));
  // The page of the reference is served as it is, and in no bundle.
  const packages = [...packageFoldersOf(files), join(root, 'node_modules/swagger-ui-dist')];
  const licences = packages.map(licenceIn);
  if (write) writeFileSync(join(folder, 'licenses.txt'), noticesOf(licences));
  return licences;
};
