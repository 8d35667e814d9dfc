// What a FHIR search of Slots costs against the listing of the same slots by /v1, in paired rounds on one service.
//   npm start builds it first; then: node bench/slot-search.ts [--rounds 30] [--requests 60]

import { ok } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '30' },
    requests: { type: 'string', default: '60' },
  },
});
const [rounds, requests] = [Number(values.rounds), Number(values.requests)];

// Not from load.ts, so that it runs without what the other benches install.
const median = (figures: number[]): number =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;

const port = 18_000 + Math.floor(Math.random() * 2_000);
const url = `http://127.0.0.1:${port}`;
const folder = mkdtempSync(join(tmpdir(), 'janji-slots-'));
const service = spawn(process.execPath, ['dist/janji.js'], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  env: {
    ...process.env,
    ...{ PORT: String(port), DATABASE_URL: `file:${join(folder, 'janji.db')}`, LOG_LEVEL: 'error' },
    ...{ FHIR: 'on', PUBLIC_URL: url, RATE_LIMIT: 'off' },
  },
  stdio: 'ignore',
});

const json = async (path: string, init: RequestInit = {}) => {
  const answer = await fetch(`${url}${path}`, init);
  ok(answer.ok, `${path}: ${answer.status}`);
  return answer.json() as Promise<{
    data: { access_token: string }[] & { access_token: string };
    entry: { search: { mode: string } }[];
  }>;
};

/** Without parsing: the time of the service counts, not that of this client. */
const read = async (path: string, init: RequestInit) => (await fetch(`${url}${path}`, init)).arrayBuffer();

/** Both ways to the same slots: a doctor's free ones of seven days, asked for by the reception. */
const findWays = async () => {
  for (let tries = 0; !(await fetch(`${url}/ready`).catch(() => null))?.ok; tries++) {
    ok(tries < 100, 'The service does not start: run `npm run build` first.');
    await new Promise((wake) => setTimeout(wake, 100));
  }
  const login = await json('/v1/auth/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'staff@klinik.example', password: 'janji-demo-2026' }),
  });
  const headers = { Authorization: `Bearer ${login.data.access_token}` };
  const doctor = 'd0c70000-0000-4000-8000-000000001001';
  const date = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const listing = `/v1/doctors/${doctor}/slots?from=${date(1)}&to=${date(5)}`;
  const search = `/fhir/r4/Slot?schedule.actor=Practitioner/${doctor}&status=free&start=ge${date(1)}&start=lt${date(6)}&_count=100`;
  const counts = [
    (await json(listing, { headers })).data.length,
    (await json(search, { headers })).entry.filter(({ search: { mode } }) => mode === 'match').length,
  ];
  ok(counts[0] === counts[1] && (counts[0] ?? 0) > 50, `They differ: ${counts.join(' and ')} slots.`);
  return { slots: counts[0], ways: [listing, search].map((path) => () => read(path, { headers })) };
};

const timeOf = async (ask: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now();
  for (let nth = 0; nth < requests; nth++) await ask();
  return (performance.now() - begun) / requests;
};

try {
  const { slots, ways } = await findWays();
  const [list, search] = ways as [() => Promise<unknown>, () => Promise<unknown>];
  for (const warm of ways) await timeOf(warm);
  const pairs: { listMs: number; searchMs: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const isFirst = round % 2 === 0;
    const one = await timeOf(isFirst ? list : search);
    const other = await timeOf(isFirst ? search : list);
    pairs.push(isFirst ? { listMs: one, searchMs: other } : { listMs: other, searchMs: one });
  }
  const ratio = median(pairs.map(({ listMs, searchMs }) => searchMs / listMs));
  const ms = (figures: number[]) => median(figures).toFixed(2);
  process.stdout.write(
    `${slots} slots: listing ${ms(pairs.map(({ listMs }) => listMs))} ms, search ${ms(pairs.map(({ searchMs }) => searchMs))} ms, ratio ${ratio.toFixed(2)} (median of ${rounds} pairs; at most 1.5)\n`,
  );
  process.exitCode = ratio > 1.5 ? 1 : 0;
} finally {
  service.kill();
  await once(service, 'exit');
  rmSync(folder, { recursive: true, force: true });
}
