// Builds the Workers as `wrangler deploy` would, without deploying, and says how large they are: that of one clinic, and
// that of many; and how much of them the health systems are, which most clinics do not speak to.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildWorker } from './build-worker.ts';

/** The Worker of many clinics has the migrations and the operator's endpoints in it as well. */
const ceilings = { 'wrangler.toml': 408, 'wrangler.objects.toml': 440 };
const env = { ...process.env, CLOUDFLARE_CF_FETCH_ENABLED: 'false', WRANGLER_SEND_METRICS: 'false', CI: '1' };

const measure = (settings: keyof typeof ceilings): void => {
  const maxKiB = ceilings[settings];
  const folder = mkdtempSync(join(tmpdir(), 'janji-bundle-'));
  const command = ['deploy', '--dry-run', '--config', settings, '--outdir', folder];
  const { status, stdout, stderr } = spawnSync('wrangler', command, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The Worker of ${settings} does not build.\n${stdout}${stderr}`);

  const parts = readdirSync(folder).filter((name) => name.endsWith('.js') || name.endsWith('.wasm'));
  const sizes = parts.map((name) => ({
    name,
    bytes: gzipSync(readFileSync(join(folder, name)), { level: 9 }).length,
  }));
  rmSync(folder, { recursive: true });
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0) / 1024;
  for (const { name, bytes } of sizes)
    process.stdout.write(`${name}: ${(bytes / 1024).toFixed(1)} KiB gzipped\n`);
  process.stdout.write(
    `Worker bundle of ${settings}: ${total.toFixed(1)} KiB gzipped, of at most ${maxKiB}\n`,
  );
  if (total > maxKiB) process.exitCode = 1;
};

const healthSystems = { modules: ['fhir', 'bpjs', 'satusehat', 'exchange'], maxKiB: 50 } as const;

const kibOf = async (name: string, leftOut: readonly string[] = []): Promise<number> => {
  const [built] = (await buildWorker(undefined, name, leftOut)).output;
  return gzipSync(built.code, { level: 9 }).length / 1024;
};

/** A Worker with and without them, and what only they import. */
const measureHealthSystems = async (name: string): Promise<void> => {
  const { modules, maxKiB } = healthSystems;
  const addedKiB = (await kibOf(name)) - (await kibOf(name, modules));
  process.stdout.write(
    `${modules.join(', ')} in src/${name}.ts: ${addedKiB.toFixed(1)} KiB gzipped, of at most ${maxKiB}\n`,
  );
  if (addedKiB > maxKiB) process.exitCode = 1;
};

for (const settings of ['wrangler.toml', 'wrangler.objects.toml'] as const) measure(settings);
for (const name of ['worker', 'worker-objects']) await measureHealthSystems(name);
