// The PocketBase peer: a program of its own (https://pocketbase.io, one Go binary), named by the environment variable
// POCKETBASE. It keeps one seat by a unique index, which is what its users do; its bookings write no events.

import { spawn, spawnSync } from 'node:child_process';
import { freePort, type Served, stopProcess, untilItAnswers } from '../processes.ts';

const admin = { identity: 'admin@klinik.example', password: 'janji-bench-2026' };

export interface PocketBase extends Served {
  /** The patient's token and id, which the figures use. */
  token: string;
  patientId: string;
}

type Ask = (path: string, body?: object, method?: string) => Promise<Record<string, unknown>>;

const askAt =
  (url: string, token = ''): Ask =>
  async (path, body, method = body === undefined ? 'GET' : 'POST') => {
    const response = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', authorization: token },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`PocketBase answers ${response.status} to ${path}`);
    return (await response.json()) as Record<string, unknown>;
  };

const text = (name: string) => ({ name, type: 'text', required: true });

const bookings = {
  name: 'bookings',
  type: 'base',
  fields: [
    text('patient'),
    text('doctor_id'),
    { name: 'doctor_name', type: 'text' },
    text('session_id'),
    { name: 'session_name', type: 'text' },
    text('schedule_date'),
    text('schedule_time'),
    { name: 'starts_at', type: 'number' },
    { name: 'notes', type: 'text' },
    { name: 'status', type: 'text' },
  ],
  indexes: [
    "create unique index seat on bookings (doctor_id, starts_at) where status <> 'canceled'",
    'create index of_patient on bookings (patient, starts_at)',
  ],
  listRule: 'patient = @request.auth.id',
  viewRule: 'patient = @request.auth.id',
  createRule: '@request.auth.id != "" && patient = @request.auth.id',
};

const fill = async (
  url: string,
  account: { email: string; password: string },
): Promise<Pick<PocketBase, 'token' | 'patientId'>> => {
  const { token: ofAdmin } = await askAt(url)('/api/collections/_superusers/auth-with-password', admin);
  const asAdmin = askAt(url, String(ofAdmin));
  await asAdmin('/api/collections', bookings);
  const { id } = await asAdmin('/api/collections/users/records', {
    ...account,
    passwordConfirm: account.password,
    name: 'Putri Pasien',
  });
  const { token } = await askAt(url)('/api/collections/users/auth-with-password', {
    identity: account.email,
    password: account.password,
  });
  const asPatient = askAt(url, String(token));
  for (let at = 0; at < 20; at++)
    await asPatient('/api/collections/bookings/records', {
      patient: id,
      doctor_id: `dokter-${at}`,
      doctor_name: 'dr. Uji Beban',
      session_id: 'sesi-1',
      session_name: 'Konsultasi Uji',
      schedule_date: `2026-01-${String(at + 1).padStart(2, '0')}`,
      schedule_time: '09:00:00',
      starts_at: at,
      notes: 'Kontrol rutin, mohon jam pagi',
      status: 'approved',
    });
  return { token: String(token), patientId: String(id) };
};

/** Starts PocketBase in an empty folder, with the patient and the history that the others have. */
export const startPocketBase = async (
  folder: string,
  account: { email: string; password: string },
): Promise<PocketBase> => {
  const program = process.env.POCKETBASE ?? '';
  const data = ['--dir', folder];
  const made = spawnSync(program, ['superuser', 'upsert', admin.identity, admin.password, ...data]);
  if (made.status !== 0) throw new Error(`PocketBase does not start: ${made.stderr ?? made.error}`);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(program, ['serve', '--http', `127.0.0.1:${port}`, ...data], { stdio: 'ignore' });
  await untilItAnswers(child, `${url}/api/health`);
  const stop = () => stopProcess(child);
  try {
    return { port, url, pid: child.pid ?? 0, stop, ...(await fill(url, account)) };
  } catch (error) {
    await stop();
    throw error;
  }
};

const json = { 'content-type': 'application/json' };

/** The same request as of the others, as PocketBase has it; `n` counts the bookings. */
export const pocketBaseShot = (
  { token, patientId }: PocketBase,
  account: { email: string; password: string },
  figure: string,
) => {
  const headers = { authorization: token };
  const records = '/api/collections/bookings/records';
  if (figure === 'login') {
    const body = JSON.stringify({ identity: account.email, password: account.password });
    return {
      method: 'POST' as const,
      path: '/api/collections/users/auth-with-password',
      headers: json,
      body,
    };
  }
  if (figure === 'profile') return { path: `/api/collections/users/records/${patientId}`, headers };
  if (figure === 'history') return { path: `${records}?perPage=50&skipTotal=1&sort=-starts_at`, headers };
  return null;
};

/** The n-th booking: no two share a seat. */
export const pocketBaseBooking = ({ token, patientId }: PocketBase, n: number, body: string) => {
  const input = JSON.parse(body) as Record<string, string>;
  return {
    method: 'POST' as const,
    path: '/api/collections/bookings/records',
    headers: { ...json, authorization: token },
    body: JSON.stringify({ ...input, patient: patientId, starts_at: 1_000 + n, status: 'waiting' }),
  };
};
