// The second table: what a request costs against the number of bookings, and against the number of connections.
//   node bench/size.ts [--seconds 4] [--rounds 3] [--sizes 10000,100000,1000000] [--connections 1,8,32,128,512]

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import {
  copyDataset,
  listedDoctorId,
  makeDataset,
  makeTokens,
  patientCount,
  sessionId,
  startJanji,
} from './dataset.ts';
import { type Load, type Measured, measure, median } from './load.ts';
import type { Served } from './processes.ts';
import { printTable } from './table.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    sizes: { type: 'string', default: '10000,100000,1000000' },
    connections: { type: 'string', default: '1,8,32,128,512' },
  },
});
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);
const numbers = (text: string) => text.split(',').filter(Boolean).map(Number);
const dayMs = 86_400_000;
const date = (daysAhead: number) => new Date(Date.now() + daysAhead * dayMs).toISOString().slice(0, 10);

/**
 * Doctors of the past and the future with the same 16 bookings a day each, the doctor that is listed among them;
 * the patients of the data set take them in turn.
 */
const fill = (path: string, size: number): void => {
  const db = new DatabaseSync(path);
  const perDay = 16;
  const days = 60;
  const perDoctor = perDay * days;
  db.exec('pragma synchronous = off');
  db.exec(`insert into doctors (id, name, title, specialty, calendar_version, created_at, updated_at)
    with recursive n(i) as (select 0 union all select i + 1 from n where i + 1 < ${Math.ceil(size / perDoctor)})
    select printf('be7d0000-0000-4000-8000-%012d', i), 'Isi ' || i, 'dr.', 'Umum', 1, 0, 0 from n`);
  const firstDay = Math.floor(Date.now() / dayMs) * dayMs - 20 * dayMs;
  db.exec(`insert into bookings (id, version, write_id, patient_id, doctor_id, doctor_name, session_id, session_name,
      schedule_date, schedule_time, starts_at, ends_at, seat, queue_number, booking_code, notes, status, created_by,
      created_at, updated_at, call_count)
    with recursive n(i) as (select 0 union all select i + 1 from n where i + 1 < ${size}),
      b as (select i, i / ${perDoctor} as doctor, (i % ${perDoctor}) / ${perDay} as day, i % ${perDay} as slot,
        ${firstDay} + ((i % ${perDoctor}) / ${perDay}) * ${dayMs} + (i % ${perDay}) * 1800000 + 3600000 as starts
        from n)
    select printf('be7e0000-0000-4000-8000-%012d', i), 1, printf('be7f0000-0000-4000-8000-%012d', i),
      printf('be7c0003-0000-4000-8000-%012d', 1 + (i * 37 + doctor) % ${patientCount - 1}),
      case doctor when 0 then '${listedDoctorId}' else printf('be7d0000-0000-4000-8000-%012d', doctor) end,
      'dr. Isi', '${sessionId}', 'Konsultasi Uji', date(starts / 1000 + 25200, 'unixepoch'),
      time(starts / 1000 + 25200, 'unixepoch'), starts, starts + 1800000, 1, slot + 1, 'F' || i, '',
      case when i % 10 = 0 then 'canceled' else 'approved' end, '', 0, 0, 0 from b where true on conflict do nothing`);
  db.exec('pragma wal_checkpoint(truncate)');
  const stored = Number(db.prepare('select count(*) as n from bookings').get()?.n);
  db.close();
  if (stored < size * 0.95) throw new Error(`Only ${stored} of ${size} bookings could be stored.`);
};

const folder = mkdtempSync(join(tmpdir(), 'janji-bench-'));
const base = await makeDataset(folder);
const tokens = await makeTokens();
const bearer = (at: number) => ({ authorization: `Bearer ${tokens[at]}` });
const slots = { path: `/v1/doctors/${listedDoctorId}/slots?from=${date(0)}&to=${date(30)}` };
const shots: Record<string, Load['shot']> = {
  profile: { path: '/v1/auth/profile', headers: bearer(0) },
  'history (20 rows)': { path: '/v1/bookings/history', headers: bearer(0) },
  'slots over 31 days': slots,
};

const medians = (all: readonly Measured[]) => ({
  rate: median(all.map(({ perSecond }) => perSecond)),
  p50: median(all.map(({ p50 }) => p50)),
  p99: median(all.map(({ p99 }) => p99)),
  cpu: median(all.map(({ cpuMicros }) => cpuMicros)),
});
const cells = ({ rate, p50, p99, cpu }: ReturnType<typeof medians>) => [
  rate.toFixed(0),
  p50.toFixed(2),
  p99.toFixed(2),
  (p99 / p50).toFixed(2),
  cpu.toFixed(0),
];
const head = ['requests/s', 'p50 ms', 'p99 ms', 'p99/p50', 'CPU µs/request'];

const services: Served[] = [];
try {
  const sizes = numbers(values.sizes);
  for (const size of sizes) {
    const path = copyDataset(base, folder, `size${size}`);
    fill(path, size);
    services.push(await startJanji(path));
  }
  const results = new Map<string, Measured[]>();
  for (let round = 0; round <= rounds; round++)
    for (const [name, shot] of Object.entries(shots))
      for (const [at, served] of services.entries()) {
        const measured = await measure(served, { connections: 8, seconds, shot });
        const key = `${name} ${sizes[at]}`;
        if (round > 0) results.set(key, [...(results.get(key) ?? []), measured]);
      }
  const rows = Object.keys(shots).flatMap((name) =>
    sizes.map((size) => [name, String(size), ...cells(medians(results.get(`${name} ${size}`) ?? []))]),
  );
  printTable(['route @8', 'bookings', ...head], rows);

  const [served] = services;
  const byConnections = new Map<number, Measured[]>();
  for (let round = 0; round <= rounds; round++)
    for (const connections of served === undefined ? [] : numbers(values.connections)) {
      const measured = await measure(served as Served, {
        connections,
        seconds,
        shot: shots.profile as Load['shot'],
      });
      if (round > 0) byConnections.set(connections, [...(byConnections.get(connections) ?? []), measured]);
    }
  process.stdout.write('\n');
  printTable(
    ['profile, connections', ...head],
    [...byConnections].map(([connections, all]) => [String(connections), ...cells(medians(all))]),
  );
} finally {
  for (const { stop } of services) await stop();
  rmSync(folder, { recursive: true });
}
