// The built Worker in miniflare, with a D1 that counts what each request asks of it.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { secret } from './clinic.ts';
import { root } from './processes.ts';
import { compatibility } from './start-up.ts';

/** Where the Worker answers with what the trigger of each minute asks. */
export const minute = '/minute';

/**
 * A proxy between the Worker and D1 that returns the queries of a request in headers. Each request has its own counts:
 * otherwise work that an earlier one does after its answer, such as the delivery of webhooks, would be counted with the
 * present one.
 */
const counter = `
import { AsyncLocalStorage } from 'node:async_hooks';
import worker from './worker.js';
const counted = new AsyncLocalStorage();
const add = (results) => {
  const counts = counted.getStore();
  if (counts === undefined) return;
  counts.trips += 1;
  counts.statements += results.length;
  for (const { meta } of results) {
    counts.read += meta?.rows_read ?? 0;
    counts.written += meta?.rows_written ?? 0;
  }
};
const count = (database) => {
  const inner = new WeakMap();
  const wrap = (statement) => {
    const one = (name) => async (...given) => {
      const result = await statement[name](...given);
      add([result ?? {}]);
      return result;
    };
    const outer = { bind: (...given) => wrap(statement.bind(...given)) };
    for (const name of ['all', 'run', 'raw', 'first']) outer[name] = one(name);
    inner.set(outer, statement);
    return outer;
  };
  return {
    prepare: (text) => wrap(database.prepare(text)),
    batch: async (statements) => {
      const results = await database.batch(statements.map((outer) => inner.get(outer)));
      add(results);
      return results;
    },
  };
};
let database;
const answer = async (request, env, context) => {
  if (new URL(request.url).pathname !== '${minute}') return worker.fetch(request, env, context);
  await worker.scheduled({}, env, context);
  return Response.json({});
};
export default {
  async fetch(request, env, context) {
    database ??= count(env.DB);
    const counts = { trips: 0, statements: 0, read: 0, written: 0 };
    const response = await counted.run(counts, () => answer(request, { ...env, DB: database }, context));
    const headers = new Headers(response.headers);
    for (const [name, value] of Object.entries(counts)) headers.set('x-d1-' + name, String(value));
    return new Response(response.body, { status: response.status, headers });
  },
};
`;

/** The Worker of these modules in `built`, its own first, on an empty D1. */
export const countedWorker = (
  built: string,
  modules: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Miniflare =>
  new Miniflare(
    convertV4MiniflareOptions({
      modules: [
        { type: 'ESModule', path: 'counter.js', contents: counter },
        ...modules.map((name) => {
          const contents = readFileSync(join(built, name));
          return name.endsWith('.wasm')
            ? { type: 'CompiledWasm' as const, path: name, contents }
            : { type: 'ESModule' as const, path: name, contents: contents.toString() };
        }),
      ],
      compatibilityDate: compatibility.date,
      compatibilityFlags: compatibility.flags,
      d1Databases: ['DB'],
      bindings: {
        JWT_SECRET: secret,
        DATA_KEY: btoa(secret.slice(0, 32)),
        RATE_LIMIT: 'off',
        LOG_LEVEL: 'error',
        ...settings,
      },
    }),
  );

/** The D1 use of one request: round trips, statements, and rows read and written as D1 bills them. */
export interface Asked {
  trips: number;
  statements: number;
  read: number;
  written: number;
}

export const askedBy = ({ headers }: { headers: Headers }): Asked => {
  const of = (name: string) => Number(headers.get(`x-d1-${name}`));
  return { trips: of('trips'), statements: of('statements'), read: of('read'), written: of('written') };
};

/** Makes the tables of a D1 and copies rows of a database's file into them: of each table those of a condition, or all by `''`. */
export const fillD1 = async (
  d1: D1Database,
  basePath: string,
  tables: Readonly<Record<string, string>>,
): Promise<void> => {
  for (const migration of readdirSync(join(root, 'drizzle')).filter((name) => name.endsWith('.sql')))
    for (const text of readFileSync(join(root, 'drizzle', migration), 'utf8').split(
      '--> statement-breakpoint',
    ))
      await d1.prepare(text).run();
  const base = new DatabaseSync(basePath);
  for (const [table, where] of Object.entries(tables)) {
    const rows = base.prepare(`select * from ${table} ${where}`).all();
    const insert = (row: Record<string, unknown>) =>
      d1
        .prepare(
          `insert or ignore into ${table} (${Object.keys(row).join(', ')}) values (${Object.keys(row)
            .map(() => '?')
            .join(', ')})`,
        )
        .bind(...Object.values(row));
    for (let at = 0; at < rows.length; at += 50) await d1.batch(rows.slice(at, at + 50).map(insert));
  }
  base.close();
  // Its people are not among the rows that were copied.
  await d1.prepare('update clinic set demo_since = null').run();
};
