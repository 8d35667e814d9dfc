// The third table: the cost of a route at the edge: D1 round trips and rows, CPU in workerd, the bundle, the start.
// node bench/workers.ts [--requests 150] [--starts 30] [--samples 5] The Worker runs in miniflare, whose one workerd
// process holds D1's SQLite too: its CPU is an upper bound. A request that uses neither the database nor a token,
// /health, is measured for comparison.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { nthBooking } from './bookings.ts';
import { doctorId, listedDoctorId, patientId } from './clinic.ts';
import { type Asked, askedBy, countedWorker, fillD1, minute } from './counted-worker.ts';
import { makeDataset } from './dataset.ts';
import { median } from './load.ts';
import { cpuSecondsOf } from './processes.ts';
import { starter } from './start-up.ts';
import { printTable } from './table.ts';
import { makeTokens } from './tokens.ts';
import { buildWorker, wrangler } from './worker-bundle.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '150' },
    starts: { type: 'string', default: '30' },
    samples: { type: 'string', default: '5' },
  },
});
const requests = Number(values.requests);
const folder = mkdtempSync(join(tmpdir(), 'janji-bench-'));
const built = join(folder, 'built');
const parts = buildWorker(built);
const gzippedKiB = parts.reduce(
  (sum, name) => sum + gzipSync(readFileSync(join(built, name)), { level: 9 }).length / 1024,
  0,
);

/** Milliseconds in which workerd was busy at its start, as `wrangler check startup` samples it. */
const sampledStartMs = (): number => {
  const report = wrangler(['check', 'startup', '--outfile', join(folder, 'startup.cpuprofile')]);
  return Number(/Active: ([\d.]+) ms/.exec(report)?.[1]);
};

const miniflare = countedWorker(built, parts);

/** Fills D1 with the other tables' data set. */
const fill = async (): Promise<void> => {
  const d1 = await miniflare.getD1Database('DB');
  const copied = `< '${patientId(requests + 2)}'`;
  await fillD1(d1, await makeDataset(folder), {
    clinic: '',
    doctors: '',
    sessions: '',
    schedules: '',
    users: `where id ${copied} and role = 'patient'`,
    device_logins: `where user_id ${copied}`,
    patients: '',
    bookings: '',
  });
  await d1.prepare(`update users set role = 'staff' where id = '${patientId(requests + 1)}'`).run();
};

/** The process in which miniflare runs workerd: this one's child. */
const workerdPid = (): number => {
  for (const name of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const stat = readFileSync(`/proc/${name}/stat`, { encoding: 'utf8', flag: 'r' });
    if (stat.includes('(workerd)') && stat.split(') ')[1]?.split(' ')[1] === String(process.pid))
      return Number(name);
  }
  throw new Error('There is no workerd.');
};

const url = await miniflare.ready;
await fill();
const pid = workerdPid();
const tokens = await makeTokens();
const staff = tokens[requests + 1];
const date = (daysAhead: number) => new Date(Date.now() + daysAhead * 86_400_000).toISOString().slice(0, 10);
const bookingIds: string[] = [];

const ask = async (path: string, status: number, token?: string, body?: string): Promise<Asked> => {
  const response = await fetch(new URL(path, url), {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
  });
  const answer = (await response.json()) as { data?: { id?: string } };
  if (response.status !== status)
    throw new Error(`${path} answers ${response.status}: ${JSON.stringify(answer)}`);
  if (status === 201) bookingIds.push(answer.data?.id ?? '');
  return askedBy(response);
};

const moved = (n: number): string => {
  const { schedule_date, schedule_time, doctor_id } = JSON.parse(nthBooking(n + 7_200)) as Record<
    string,
    string
  >;
  return JSON.stringify({ schedule_date, schedule_time, doctor_id });
};
const slots = `/v1/doctors/${listedDoctorId}/slots?from=${date(0)}&to=${date(30)}`;

/** Each route with the most round trips that it may take, and its n-th request. */
const routes: [string, number, (n: number) => Promise<Asked>][] = [
  ['GET /health', 0, () => ask('/health', 200)],
  ['the trigger of each minute, nothing due', 1, () => ask(minute, 200)],
  ['GET /v1/auth/profile', 1, () => ask('/v1/auth/profile', 200, tokens[0])],
  ['GET /v1/bookings/history (20)', 1, () => ask('/v1/bookings/history', 200, tokens[0])],
  ['GET /v1/doctors/{id}/slots (31 days)', 1, () => ask(slots, 200)],
  ['POST /v1/bookings', 2, (n) => ask('/v1/bookings', 201, tokens[n], nthBooking(n))],
  ['GET /v1/bookings/{id}', 1, (n) => ask(`/v1/bookings/${bookingIds[n]}`, 200, tokens[n])],
  ['POST …/{id}/approve', 2, (n) => ask(`/v1/bookings/${bookingIds[n]}/approve`, 200, staff, '{}')],
  [
    'POST …/{id}/reschedule',
    2,
    (n) => ask(`/v1/bookings/${bookingIds[n]}/reschedule`, 200, tokens[n], moved(n)),
  ],
  ['POST …/{id}/cancel', 2, (n) => ask(`/v1/bookings/${bookingIds[n]}/cancel`, 200, tokens[n], '{}')],
];

try {
  if (doctorId(0) === listedDoctorId) throw new Error('The listed doctor must have no other bookings.');
  const rows: string[][] = [];
  for (const [name, max, request] of routes) {
    const samples: Asked[] = [];
    if (!name.startsWith('POST')) for (let n = 0; n < Math.min(20, requests); n++) await request(n);
    const before = cpuSecondsOf(pid);
    for (let n = 0; n < requests; n++) samples.push(await request(n));
    const cpuMs = ((cpuSecondsOf(pid) - before) / requests) * 1_000;
    const trips = Math.max(...samples.map((sample) => sample.trips));
    if (trips > max) throw new Error(`${name} takes ${trips} round trips, of at most ${max}.`);
    const of = (field: keyof Asked) => String(median(samples.map((sample) => sample[field])));
    rows.push([name, String(trips), String(max), of('read'), of('written'), cpuMs.toFixed(2)]);
  }
  printTable(
    ['route', 'D1 round trips', 'at most', 'rows read', 'rows written', 'CPU ms in workerd, D1 included'],
    rows,
  );
} finally {
  await miniflare.dispose();
}
const sampled = Array.from({ length: Number(values.samples) }, sampledStartMs);
const starts: number[] = [];
const start = starter(built, parts);
for (let n = 0; n < Number(values.starts); n++) starts.push(await start());
rmSync(folder, { recursive: true });
process.stdout.write('\n');
printTable(
  ['Worker', 'measured', 'at most'],
  [
    ['bundle, gzipped', `${gzippedKiB.toFixed(1)} KiB`, '300 KiB'],
    ['start-up, CPU beyond an empty Worker, median', `${median(starts).toFixed(1)} ms`, '50 ms'],
    ['the same, worst', `${Math.max(...starts).toFixed(1)} ms`, ''],
    ['start-up, busy, as wrangler samples it, median', `${median(sampled).toFixed(1)} ms`, '50 ms'],
  ],
);
