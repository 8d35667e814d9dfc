// Writes build/, which wrangler deploys or serves as it is: the Worker's source in one file, and the wasm of Argon2. Workers serve the reference as a static asset (scripts/public.ts).
// `objects` as its argument builds the Worker of many clinics (wrangler.objects.toml).

import { copyFileSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'rolldown';
import { headersAtBuild } from './worker/headers-at-build.ts';
import { migrationsAtBuild } from './worker/migrations-at-build.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A module of wasm lies beside the Worker, under its own name. */
const wasmBeside = (folder?: string): Plugin => ({
  name: 'wasm-beside',
  resolveId: {
    filter: { id: /\.wasm$/ },
    handler(specifier) {
      const name = basename(specifier);
      if (folder !== undefined)
        copyFileSync(fileURLToPath(import.meta.resolve(specifier)), join(folder, name));
      return { id: `.//${name}`, external: true };
    },
  },
});

/** Empties the modules of some folders, to measure what they and what only they import add. */
const emptied = (modules: readonly string[]): Plugin => ({
  name: 'emptied',
  load: {
    filter: { id: new RegExp(`/src/modules/(${modules.join('|')})/`) },
    handler: () => ({ code: 'export {}', moduleType: 'js', moduleSideEffects: false }),
  },
});

/** The Worker in one file; what the platform brings along stays an import. It does not run without the modules that are left out. */
export const buildWorker = (folder?: string, name = 'worker', leftOut: readonly string[] = []) =>
  build({
    cwd: root,
    input: `src/${name}.ts`,
    platform: 'browser',
    resolve: { conditionNames: ['workerd', 'worker', 'browser', 'import'] },
    external: [/^node:/, /^cloudflare:/],
    plugins: [
      headersAtBuild,
      migrationsAtBuild,
      wasmBeside(folder),
      ...(leftOut.length > 0 ? [emptied(leftOut)] : []),
    ],
    shimMissingExports: leftOut.length > 0,
    onLog: (level, log, handle) => {
      if (log.code !== 'SHIMMED_EXPORT') handle(level, log);
    },
    treeshake: {
      // These packages do not say that importing them has no effects.
      moduleSideEffects: [{ test: /\/node_modules\/(@oslojs|@date-fns)\//, sideEffects: false }],
    },
    output: {
      format: 'esm',
      minify: true,
      comments: false,
      sourcemap: folder !== undefined,
      ...(folder !== undefined && { file: join(folder, `${name}.js`) }),
    },
    write: folder !== undefined,
  });

if (import.meta.main) {
  mkdirSync(join(root, 'build'), { recursive: true });
  await buildWorker(join(root, 'build'), process.argv[2] === 'objects' ? 'worker-objects' : 'worker');
}
