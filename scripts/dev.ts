// Runs the Worker locally: a local D1, migrated and given the demo clinic, then `wrangler dev`. What follows `--`
// on the command line reaches wrangler.

import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { drizzle } from 'drizzle-orm/d1';
import { getPlatformProxy } from 'wrangler';
import { createHasher } from '../src/auth/passwords/hasher.ts';
import { ensureClinic } from '../src/clinic-row.ts';
import { parseConfig } from '../src/config.ts';
import { demoAccounts, demoPassword, seedDemo } from '../src/demo.ts';

const environment = {
  ...process.env,
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  WRANGLER_SEND_METRICS: 'false',
  CI: '1',
};
Object.assign(process.env, environment);

const keepLocalSecret = (): void => {
  if (existsSync('.dev.vars')) return;
  writeFileSync('.dev.vars', `JWT_SECRET=${randomBytes(48).toString('base64url')}\n`, { mode: 0o600 });
};

const migrate = (): void => {
  const command = ['d1', 'migrations', 'apply', 'DB', '--local'];
  const { status, stdout, stderr } = spawnSync('wrangler', command, { env: environment, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The local D1 could not be migrated.\n${stdout}${stderr}`);
};

const seed = async (): Promise<void> => {
  const proxy = await getPlatformProxy<{ DB: D1Database }>();
  try {
    const db = drizzle(proxy.env.DB);
    await ensureClinic(db, parseConfig(proxy.env as unknown as Record<string, unknown>).CLINIC_TIME_ZONE);
    if (await seedDemo(db, createHasher(), Date.now()))
      process.stdout.write(
        `Demo accounts (password ${demoPassword}): ${demoAccounts.map(({ email }) => email).join(', ')}\n`,
      );
  } finally {
    await proxy.dispose();
  }
};

keepLocalSecret();
migrate();
await seed();
const wrangler = spawn('wrangler', ['dev', '--port', '8787', ...process.argv.slice(2)], {
  env: environment,
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => wrangler.kill(signal));
wrangler.on('exit', (code) => {
  process.exitCode = code ?? 0;
});
