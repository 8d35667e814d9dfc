// The cost of reads by the number of bookings: the same service on databases of several sizes, measured in turn. node
// bench/data-size.ts [--sizes 10000,100000,1000000] [--rounds 20] [--requests 15] [--only slots,history]

import { Agent, get } from 'node:http';
import { parseArgs } from 'node:util';
import { issueAccessToken } from '../src/modules/auth/tokens.ts';
import { startJanji } from './dataset.ts';
import { type Filled, filledDatabase, freePerDay, perDay, perPatient, shown } from './fill.ts';
import { median, type Shot } from './load.ts';
import type { Served } from './processes.ts';
import { printTable } from './table.ts';
import { legacyTokenKeys } from './tokens.ts';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,100000,1000000' },
    rounds: { type: 'string', default: '20' },
    requests: { type: 'string', default: '15' },
    only: { type: 'string', default: '' },
  },
});
const rounds = Number(values.rounds);
const requests = Number(values.requests);

const keys = await legacyTokenKeys();
const bearerOf = async (userId: string, role: 'patient' | 'staff' | 'admin') => {
  const claims = { userId, deviceLoginId: shown.loginOf(userId), role };
  return { authorization: `Bearer ${await issueAccessToken(keys, claims, Date.now(), 86_400)}` };
};

interface Question {
  name: string;
  shot: Shot;
  /** How many items answer it; null for one record. */
  rows: number | null;
  wanted: number;
}

/** A clinic's week, at 1,600 bookings, may be a day of another one. */
const inRange = 1_600;

const addDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);

/** The requests for each database; their answers have the same number of rows in all of them. */
const questionsOf = async ({ patientId, tomorrow, doctors, bookings }: Filled): Promise<Question[]> => {
  const staff = await bearerOf(shown.staffId, 'staff');
  const admin = await bearerOf(shown.adminId, 'admin');
  const patient = await bearerOf(patientId, 'patient');
  const days = Math.max(1, Math.round(inRange / (doctors * perDay)));
  const range = `from=${addDays(tomorrow, 1 - days)}&to=${tomorrow}`;
  // Each booking was created and approved.
  const lastEvent = bookings * 2;
  const day = `/v1/bookings?date=${tomorrow}`;
  const slots = `/v1/doctors/${shown.doctorId}/slots?from=${tomorrow}&to=${addDays(tomorrow, 30)}`;
  const ask = (
    name: string,
    path: string,
    headers: Record<string, string>,
    rows: number | null,
    wanted = 1.3,
  ) => ({
    name,
    shot: { path, headers },
    rows,
    wanted,
  });
  return [
    ask('slots over 31 days', slots, {}, 31 * freePerDay, 1.2),
    ask('day list, first page', day, staff, 50),
    ask('day list of a doctor', `${day}&doctor_id=${shown.doctorId}`, staff, 16),
    ask('name on a day of a doctor', `${day}&doctor_id=${shown.doctorId}&q=${shown.name}`, staff, 1),
    ask('name on a day of the clinic', `${day}&q=${shown.name}`, staff, 1),
    ask('patients by name', `/v1/patients?q=${shown.name}`, staff, 1),
    ask("a patient's detail", `/v1/patients/${patientId}`, staff, null, 1.2),
    ask('list with counts of 1,600', `/v1/bookings?${range}`, staff, 50, 1.2),
    ask('50 changes', `/v1/bookings/changes?after=${lastEvent - 100}`, staff, 50, 1.2),
    ask('no change', `/v1/bookings/changes?after=${lastEvent}`, staff, 0, 1.2),
    ask('statistics of 1,600', `/v1/admin/statistics?${range}&by=hour`, admin, 10, 1.2),
    ask('history with details', '/v1/bookings/history?include=detail', patient, perPatient, 1.2),
    ask('history page', '/v1/bookings/history', patient, perPatient),
  ].filter(({ name }) => values.only.split(',').some((part) => name.includes(part)));
};

const assertRows = async ({ url }: Served, { name, shot, rows }: Question): Promise<void> => {
  const response = await fetch(url + shot.path, { headers: shot.headers ?? {} });
  const { data } = (await response.json()) as { data?: unknown[] };
  if (response.status !== 200 || (rows !== null && data?.length !== rows))
    throw new Error(`${name}: ${response.status} with ${data?.length} rows instead of ${rows}.`);
};

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** How long one request took, to the last byte, in milliseconds. */
const timeOf = ({ url }: Served, { path, headers }: Shot): Promise<number> =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now();
    get(url + path, { agent, headers: headers ?? {} }, (response) => {
      response.on('end', () =>
        response.statusCode === 200
          ? resolve(performance.now() - startedAt)
          : reject(new Error(`${path} answers ${response.statusCode}.`)),
      );
      response.resume();
    }).on('error', reject);
  });

/** The median of some requests, one after the other. */
const p50Of = async (served: Served, shot: Shot): Promise<number> => {
  const times: number[] = [];
  for (let at = 0; at < requests; at++) times.push(await timeOf(served, shot));
  return median(times);
};

const filled: Filled[] = [];
for (const size of values.sizes.split(',')) filled.push(await filledDatabase(Number(size)));
const services: { served: Served; questions: Question[]; of: Filled }[] = [];
const results = new Map<string, number[]>();
try {
  for (const of of filled)
    services.push({ of, served: await startJanji(of.path), questions: await questionsOf(of) });
  for (const { served, questions } of services)
    for (const question of questions) await assertRows(served, question);
  // Round 0 warms up and does not count.
  for (let round = 0; round <= rounds; round++)
    for (const [at, { name }] of (services[0]?.questions ?? []).entries())
      for (const { served, questions, of } of services) {
        const p50 = await p50Of(served, (questions[at] as Question).shot);
        const key = `${name} ${of.bookings}`;
        if (round > 0) results.set(key, [...(results.get(key) ?? []), p50]);
      }
} finally {
  agent.destroy();
  for (const { served } of services) await served.stop();
}

const [smallest] = filled;
const over: string[] = [];
const rowOf = ({ name, rows, wanted }: Question): string[] => {
  const all = filled.map(({ bookings }) => results.get(`${name} ${bookings}`) ?? []);
  const p50s = all.map(median);
  // Rounds are paired: noise that lasts longer than one pair falls out of the ratio.
  const ratios = all.map((measured) => median(measured.map((p50, at) => p50 / (all[0]?.[at] ?? 0))));
  const last = ratios.at(-1) ?? Number.NaN;
  if (!(last <= wanted)) over.push(`${name} (${last.toFixed(2)})`);
  return [
    name,
    rows === null ? '' : String(rows),
    ...p50s.map((ms) => ms.toFixed(2)),
    ...ratios.slice(1).map((r) => r.toFixed(2)),
    String(wanted),
  ];
};
printTable(
  [
    'question',
    'rows',
    ...filled.map(({ bookings }) => `p50 ms at ${bookings}`),
    ...filled.slice(1).map(({ bookings }) => `${bookings} to ${smallest?.bookings}`),
    'wanted',
  ],
  (services[0]?.questions ?? []).map(rowOf),
);
process.stdout.write(
  `\nDoctors: ${filled.map(({ doctors }) => doctors).join(', ')}. Over what is wanted: ${over.join(', ') || 'none'}.\n`,
);
