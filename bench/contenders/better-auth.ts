// better-auth with its defaults on node:http and SQLite: sign-in by e-mail, and its session check.

import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';

const auth = betterAuth({
  database: new DatabaseSync(process.env.DATABASE ?? ''),
  secret: process.env.JWT_SECRET ?? '',
  baseURL: `http://127.0.0.1:${process.env.PORT}`,
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
});
await (await getMigrations(auth.options)).runMigrations();
const handle = toNodeHandler(auth);

createServer((request, response) => {
  if (request.url !== '/health') return handle(request, response);
  response.writeHead(200).end();
}).listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
