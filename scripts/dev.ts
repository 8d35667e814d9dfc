// Runs the Worker locally: a local D1, migrated and filled with the demo clinic, then `wrangler dev`. With `--empty` the
// database stays empty, as after a first deployment. Further arguments after `--` are passed to wrangler.

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { drizzle } from 'drizzle-orm/d1';
import { getPlatformProxy } from 'wrangler';
import { ensureClinic } from '../src/core/clinic/row.ts';
import { parseConfig } from '../src/core/settings/config.ts';
import { createHasher } from '../src/modules/auth/passwords/hasher.ts';
import { demoAccounts, demoPassword, seedDemo } from '../src/modules/demo/demo.ts';
import { endWithNpm } from '../src/runtime/node/serve/npm-script.ts';
import { migrateLocalD1 } from './worker/migrate-local.ts';

const environment = {
  ...process.env,
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  WRANGLER_SEND_METRICS: 'false',
  CI: '1',
};
Object.assign(process.env, environment);

const isEmpty = process.argv.includes('--empty');
const options = process.argv.slice(2).filter((option) => option !== '--empty');
const optionAfter = (name: string): string | undefined =>
  options[options.indexOf(name) + 1 || options.length];
const persistTo = optionAfter('--persist-to');
const configPath = optionAfter('--config');
const port = optionAfter('--port') ?? '8787';

/** The Worker's variables of `--var NAME:value`: the demo clinic uses them too. */
const variables = Object.fromEntries(
  options.flatMap((option, at) => {
    const [, name, value] = /^(\w+):(.*)$/s.exec(option) ?? [];
    return options[at - 1] === '--var' && name !== undefined ? [[name, value]] : [];
  }),
);

const localSecrets = { JWT_SECRET: 48, DATA_KEY: 32 };

/** Draws what `.dev.vars` does not have yet, which wrangler reads beside its configuration. */
const ensureLocalSecrets = (): void => {
  const file = join(dirname(configPath ?? '.'), '.dev.vars');
  const written = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const missing = Object.entries(localSecrets)
    .filter(([name]) => !new RegExp(`^${name}\\s*=`, 'm').test(written))
    .map(([name, bytes]) => `${name}=${randomBytes(bytes).toString('base64url')}\n`);
  const end = written === '' || written.endsWith('\n') ? '' : '\n';
  if (missing.length > 0) appendFileSync(file, `${end}${missing.join('')}`, { mode: 0o600 });
};

const makeReady = async (): Promise<void> => {
  const persist = persistTo === undefined ? true : { path: join(persistTo, 'v3') };
  const proxy = await getPlatformProxy<{ DB: D1Database; SANDBOX_DB?: D1Database; [name: string]: unknown }>({
    persist,
    ...(configPath !== undefined && { configPath }),
  });
  try {
    const { DB, SANDBOX_DB } = proxy.env;
    await migrateLocalD1(DB);
    if (SANDBOX_DB !== undefined) await migrateLocalD1(SANDBOX_DB);
    if (isEmpty) return;
    const db = drizzle(DB);
    const { CLINIC_TIME_ZONE, CLINIC_ID } = parseConfig({ ...proxy.env, ...variables });
    const { demoSince } = await ensureClinic(db, CLINIC_TIME_ZONE, CLINIC_ID);
    const seeded = await seedDemo(db, createHasher(), Date.now());
    process.stdout.write(`Open http://127.0.0.1:${port}/docs to read the interface and try it.\n`);
    if (!seeded && demoSince === null) return;
    const emails = demoAccounts.map(({ email }) => email).join(', ');
    process.stdout.write(`Demo accounts (password ${demoPassword}): ${emails}\n`);
  } finally {
    await proxy.dispose();
  }
};

/** `wrangler dev` does not trigger the schedule by itself. */
const runJobs = (): void => {
  fetch(`http://127.0.0.1:${port}/cdn-cgi/local/scheduled`).catch(() => {});
};

ensureLocalSecrets();
// While the demo password is hashed, a busy machine may let the connection to the local D1 expire.
await makeReady().catch(() => makeReady());
const wrangler = spawn('wrangler', ['dev', '--var', 'MAIL_TO_LOG:on', ...options], {
  env: environment,
  stdio: 'inherit',
});
/** The first round as soon as the Worker answers: it fills the demo clinic's day. */
const runFirstJobs = async (): Promise<void> => {
  while (wrangler.exitCode === null) {
    await sleep(1_000);
    const answered = await fetch(`http://127.0.0.1:${port}/health`).catch(() => null);
    if (answered?.ok) return runJobs();
  }
};

void runFirstJobs();
const minutes = setInterval(runJobs, 60_000);
let asked = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    asked = true;
    wrangler.kill(signal);
  });
endWithNpm('dev');
wrangler.on('exit', (code) => {
  clearInterval(minutes);
  process.exitCode = asked ? 0 : (code ?? 1);
});
