// Writes build/worker.js, from which wrangler makes what it deploys or serves: the Worker's source without the words of
// the reference (scripts/leave-words-out.ts), which Workers serve as a static asset (scripts/public.ts).

import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { leaveWordsOut } from './leave-words-out.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The Worker in one file; what the platform or wrangler brings along stays an import. */
export const buildWorker = (file?: string) =>
  build({
    cwd: root,
    input: 'src/worker.ts',
    platform: 'browser',
    resolve: { conditionNames: ['workerd', 'worker', 'browser', 'import'] },
    external: [/^node:/, /^cloudflare:/, /\.wasm$/],
    plugins: [leaveWordsOut],
    output: { format: 'esm', sourcemap: file !== undefined, ...(file !== undefined && { file }) },
    write: file !== undefined,
  });

if (import.meta.main) await buildWorker('build/worker.js');
