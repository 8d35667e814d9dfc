// The D1 use of a clinic's day, request by request, and the disk space of a booking: the tables of docs/scaling.md.
// node bench/daily-cost.ts [--bookings 1000] A doctor with 16 slots a day, 14 of today's booked; a caller with 14
// bookings, one of them today.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { listedDoctorId, patientId, sessionId } from './clinic.ts';
import { type Asked, askedBy, countedWorker, fillD1 } from './counted-worker.ts';
import { makeDataset } from './dataset.ts';
import { printTable } from './table.ts';
import { makeTokens } from './tokens.ts';
import { buildWorker } from './worker-bundle.ts';

const { values } = parseArgs({ options: { bookings: { type: 'string', default: '1000' } } });
const storedBookings = Number(values.bookings);
const takenSlots = 14;
const firstHour = 6;

// The clinic lies where it is early in the morning now, so that today's slots are ahead whenever this runs.
const hoursEast = ((firstHour - new Date().getUTCHours() + 36) % 24) - 12;
const zone = `Etc/GMT${hoursEast > 0 ? '-' : '+'}${Math.abs(hoursEast)}`;
const dateIn = (days: number): string =>
  new Date(Date.now() + hoursEast * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10);
const today = dateIn(0);

const folder = mkdtempSync(join(tmpdir(), 'janji-bench-'));
const built = join(folder, 'built');
const miniflare = countedWorker(built, buildWorker(built), { CLINIC_TIME_ZONE: zone });
const url = await miniflare.ready;
const d1 = await miniflare.getD1Database('DB');
const tokens = await makeTokens();
const people = takenSlots + storedBookings + 1;
const admin = tokens[people];

const fill = async (): Promise<void> => {
  const copied = `<= '${patientId(people)}'`;
  await fillD1(d1, await makeDataset(folder), {
    clinic: '',
    doctors: `where id = '${listedDoctorId}'`,
    sessions: `where id = '${sessionId}'`,
    schedules: `where doctor_id = '${listedDoctorId}'`,
    users: `where id ${copied} and role = 'patient'`,
    device_logins: `where user_id ${copied}`,
    patients: `where id ${copied}`,
  });
  await d1
    .prepare('update clinic set time_zone = ?, max_live_bookings = 50, max_unproved_bookings = 50')
    .bind(zone)
    .run();
  await d1.prepare("update users set role = 'admin' where id = ?").bind(patientId(people)).run();
};

interface Answer {
  asked: Asked;
  data: { id: string };
  meta: { sequence: number };
}

const ask = async (path: string, token?: string, body?: object, headers = {}): Promise<Answer> => {
  const response = await fetch(new URL(path, url), {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Omit<Answer, 'asked'>;
  if (!response.ok) throw new Error(`${path} answers ${response.status}: ${JSON.stringify(answer)}`);
  return { ...answer, asked: askedBy(response) };
};

/** The n-th half hour from eight o'clock on. */
const slot = (n: number): string =>
  `${String(8 + Math.floor(n / 2)).padStart(2, '0')}:${n % 2 === 0 ? '00' : '30'}:00`;

const book = (token: string | undefined, date: string, n: number, headers = {}) => {
  const practice = { doctor_id: listedDoctorId, session_id: sessionId };
  return ask('/v1/bookings', token, { ...practice, schedule_date: date, schedule_time: slot(n) }, headers);
};
const does = (id: string, verb: string) => ask(`/v1/bookings/${id}/${verb}`, admin, {});
const visit = ['approve', 'check-in', 'call', 'complete'];

/** Bytes of the database, as D1 reports them. */
const bytes = async (): Promise<number> =>
  Number((await d1.prepare("update clinic set name = name where name = ''").run()).meta.size_after);

try {
  await fill();
  const caller = tokens[0];
  for (let n = 1; n < takenSlots; n++) await book(tokens[n], today, n);
  for (let day = 1; day < takenSlots; day++) await book(caller, dateIn(day), 0);
  const first = await book(caller, today, 0);
  const slots = `/v1/doctors/${listedDoctorId}/slots?from=${today}&to=`;
  const firstList = await ask('/v1/bookings', admin);
  const list = await ask('/v1/bookings', admin);
  const reads: [string, Answer][] = [
    ['GET /v1/auth/profile', await ask('/v1/auth/profile', caller)],
    ['GET /v1/doctors/{id}/slots, 7 days', await ask(slots + dateIn(6))],
    ['the same, 31 days', await ask(slots + dateIn(30))],
    ['GET /v1/bookings/history, 14 rows', await ask('/v1/bookings/history', caller)],
  ];
  const writes: [string, Answer][] = [
    ['POST /v1/bookings', await book(tokens[takenSlots], today, 14)],
    [
      'the same with an Idempotency-Key',
      await book(tokens[takenSlots], dateIn(1), 14, { 'Idempotency-Key': 'sekali' }),
    ],
  ];
  const steps: [string, Answer][] = [];
  for (const verb of visit) steps.push([`POST /v1/bookings/{id}/${verb}`, await does(first.data.id, verb)]);
  const last = (await ask('/v1/bookings', admin)).meta.sequence;
  // The first one in an hour writes a line of the audit trail.
  await ask(`/v1/bookings/changes?after=${last}`, admin);
  const screens: [string, Answer][] = [
    ["GET /v1/bookings, a day's list of 14 with its counts", list],
    ['the same, for the first time in an hour: with its line in the audit trail', firstList],
    ['GET /v1/bookings/changes, nothing new', await ask(`/v1/bookings/changes?after=${last}`, admin)],
    ['the same, 14 events', await ask(`/v1/bookings/changes?after=${last - 14}`, admin)],
    [
      'GET /v1/admin/statistics, a day of 15',
      await ask(`/v1/admin/statistics?from=${today}&to=${today}`, admin),
    ],
    ['GET /v1/queues, one of 14', await ask(`/v1/queues?doctor_id=${listedDoctorId}`)],
  ];
  const rowOf = ([name, { asked }]: [string, Answer]) => [
    name,
    ...[asked.trips, asked.statements, asked.read, asked.written].map(String),
  ];
  printTable(
    ['request', 'round trips', 'statements', 'rows read', 'rows written'],
    [...reads, ...writes, ...steps, ...screens].map(rowOf),
  );

  // One booking in daily use: docs/scaling.md assumes this.
  const asked = new Map([...reads, ...writes, ...screens].map(([name, { asked }]) => [name, asked]));
  const of = (name: string) => asked.get(name) as Asked;
  const life: [Asked, number][] = [
    [of('GET /v1/doctors/{id}/slots, 7 days'), 10],
    [of('GET /v1/bookings/history, 14 rows'), 3],
    [of('GET /v1/auth/profile'), 2],
    [of('the same with an Idempotency-Key'), 1],
    ...steps.map(([, { asked }]): [Asked, number] => [asked, 1]),
    [of('GET /v1/queues, one of 14'), 20],
  ];
  const sum = (field: keyof Asked) => life.reduce((all, [one, times]) => all + one[field] * times, 0);
  process.stdout.write('\n');
  printTable(
    ['a booking in daily life', 'sum'],
    [
      ['rows read', String(sum('read'))],
      ['rows written', String(sum('written'))],
      ['statements', String(sum('statements'))],
    ],
  );

  await d1.batch([
    d1.prepare('update schedules set capacity = 100'),
    d1.prepare('update doctors set calendar_version = calendar_version + 1'),
  ]);
  const before = await bytes();
  const ids: string[] = [];
  for (let n = 1; n <= storedBookings; n++) {
    const { data } = await book(tokens[takenSlots + n], today, n % 16);
    ids.push(data.id);
  }
  const booked = await bytes();
  for (const id of ids) for (const verb of visit) await does(id, verb);
  const done = await bytes();
  const kB = (size: number) => `${(size / storedBookings / 1_000).toFixed(2)} kB`;
  process.stdout.write('\n');
  printTable(
    [`on disk, of ${storedBookings} bookings`, 'each'],
    [
      ['a booking with its first event', kB(booked - before)],
      ['each further event', kB((done - booked) / visit.length)],
      ['a booking whose visit has ended', kB(done - before)],
    ],
  );
} finally {
  await miniflare.dispose();
  rmSync(folder, { recursive: true });
}
