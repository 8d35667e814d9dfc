// Measures whether an answer's time reveals that an account exists: interleaved tries at a real server with its limits
// on. node bench/auth-timing.ts [--tries 200]

import { deepStrictEqual } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { janjiSettings } from './dataset.ts';
import { median } from './load.ts';
import { type Served, serveScript } from './processes.ts';
import { printTable } from './table.ts';

const { values } = parseArgs({ options: { tries: { type: 'string', default: '200' } } });
const tries = Number(values.tries);
const accountCount = 40;
const maxDifference = 0.1;
/** Between two tries. */
const restMs = 20;
const password = 'sandi-uji-beban-17';

/** The parts that a client can compare: all but the request's id and the date. */
interface Observed {
  status: number;
  body: unknown;
  headers: [string, string][];
}

let networks = 0;

/** One POST from a network that was never seen before. */
const post = async (
  { url }: Served,
  path: string,
  fields: object,
): Promise<{ observed: Observed; ms: number }> => {
  networks += 1;
  const headers = {
    'Content-Type': 'application/json',
    'X-Forwarded-For': `10.${networks >> 16}.${(networks >> 8) & 255}.${networks & 255}`,
  };
  const startedAt = performance.now();
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(fields) });
  const body = (await response.json()) as Record<string, unknown>;
  const ms = performance.now() - startedAt;
  delete body.request_id;
  const comparedHeaders = [...response.headers].filter(
    ([name]) => name !== 'x-request-id' && name !== 'date',
  );
  return { observed: { status: response.status, body, headers: comparedHeaders }, ms };
};

const known = (at: number) => `ada${at % accountCount}@klinik.example`;
const unknown = (at: number) => `tak${at % accountCount}@klinik.example`;

const register = async (janji: Served, at: number): Promise<void> => {
  const person = { name: `Uji ${at}`, phone_number: '81234567890', phone_country_code: '62' };
  const secret = { password, password_confirmation: password };
  const { observed } = await post(janji, '/v1/auth/register', { ...person, ...secret, email: known(at) });
  if (observed.status !== 201) throw new Error(`Registration answers ${observed.status}.`);
};

/** Asks for a known and an unknown e-mail in turn, either first, and holds the answers against each other. */
const compare = async (janji: Served, path: string, fieldsOf: (email: string) => object) => {
  const times = { known: [] as number[], unknown: [] as number[] };
  for (let at = 0; at < tries; at++) {
    const order = at % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
    const observed: Observed[] = [];
    for (const which of order) {
      // Work that the previous attempt left for after its answer, such as sending a mail, is done.
      await sleep(restMs);
      const answer = await post(janji, path, fieldsOf(which === 'known' ? known(at) : unknown(at)));
      observed.push(answer.observed);
      times[which].push(answer.ms);
    }
    deepStrictEqual(observed[0], observed[1]);
    if (![401, 202].includes(observed[0]?.status ?? 0))
      throw new Error(`${path} answers ${observed[0]?.status}.`);
  }
  return { known: median(times.known), unknown: median(times.unknown) };
};

const folder = mkdtempSync(join(tmpdir(), 'janji-bench-'));
const settings = { ...janjiSettings(join(folder, 'janji.db')), RATE_LIMIT: 'on', TRUST_PROXY: 'on' };
const janji = await serveScript('src/node.ts', settings);
const rows: string[][] = [];
const row = (what: string, { known, unknown }: { known: number; unknown: number }) => {
  const difference = Math.abs(known - unknown) / Math.max(known, unknown);
  rows.push([
    what,
    known.toFixed(2),
    unknown.toFixed(2),
    `${(difference * 100).toFixed(1)} %`,
    `< ${maxDifference * 100} %`,
    difference < maxDifference ? 'yes' : 'NO',
  ]);
};
try {
  for (let at = 0; at < accountCount; at++) await register(janji, at);
  row(
    'login, wrong password',
    await compare(janji, '/v1/auth/login', (email) => ({ email, password: 'bukan-sandinya' })),
  );
  row('forgot', await compare(janji, '/v1/auth/password/forgot', (email) => ({ email })));
} finally {
  await janji.stop();
  rmSync(folder, { recursive: true });
}
process.stdout.write(`${tries} tries each; status, body and headers were the same every time.\n`);
printTable(['asked', 'known, median ms', 'unknown, median ms', 'difference', 'wanted', 'holds'], rows);
