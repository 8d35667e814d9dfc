import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './processes.ts';

const env = { ...process.env, CLOUDFLARE_CF_FETCH_ENABLED: 'false', WRANGLER_SEND_METRICS: 'false', CI: '1' };

/** The output of a wrangler command, in this checkout or another. */
export const wrangler = (command: readonly string[], checkout = root): string =>
  execFileSync(join(checkout, 'node_modules/.bin/wrangler'), command, {
    cwd: checkout,
    env,
    encoding: 'utf8',
  });

/** Bundles a checkout's Worker as a deployment would, into a folder, and names its modules, the Worker's own first. */
export const buildWorker = (folder: string, checkout = root): string[] => {
  wrangler(['deploy', '--dry-run', '--minify', '--outdir', folder], checkout);
  return readdirSync(folder)
    .filter((name) => /\.(js|wasm)$/.test(name))
    .sort((a, b) => Number(a.endsWith('.wasm')) - Number(b.endsWith('.wasm')));
};
