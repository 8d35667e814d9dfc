import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import type { betterAuth } from 'better-auth';
import type { getMigrations } from 'better-auth/db/migration';
import type { toNodeHandler } from 'better-auth/node';

/** The measured version of better-auth. */
export interface BetterAuth {
  betterAuth: typeof betterAuth;
  getMigrations: typeof getMigrations;
  toNodeHandler: typeof toNodeHandler;
}

/** Serves better-auth with its defaults on node:http and SQLite: sign-in by e-mail, and its session check. */
export const serveBetterAuth = async (version: BetterAuth): Promise<void> => {
  const auth = version.betterAuth({
    database: new DatabaseSync(process.env.DATABASE ?? ''),
    secret: process.env.JWT_SECRET ?? '',
    baseURL: `http://127.0.0.1:${process.env.PORT}`,
    emailAndPassword: { enabled: true },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
  });
  await (await version.getMigrations(auth.options)).runMigrations();
  const handle = version.toNodeHandler(auth);

  createServer((request, response) => {
    if (request.url !== '/health') return handle(request, response);
    response.writeHead(200).end();
  }).listen(Number(process.env.PORT), '127.0.0.1');
  process.on('SIGTERM', () => process.exit(0));
};
