import { copyFileSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { fillClinicFile } from '../faults/clinic-file.ts';
import { freePort, type Service, startService } from '../faults/service.ts';
import { newFolder } from './command-line.ts';

/** The texts that an attacker searches for. */
export const secrets = {
  nationalId: '3171234567890001',
  insuranceNumber: '0001234567890',
  name: 'Ratnasari Wulandari',
  note: 'alergi penisilin sejak kecil',
  wish: 'tolong dipanggil dengan suara keras',
  password: 'kata-sandi-uji-17-rahasia',
};

/** One request, and its answer. */
export const ask = async (
  { base }: Pick<Service, 'base'>,
  path: string,
  { token, body, method }: { token?: string; body?: object; method?: string } = {},
) => {
  const response = await fetch(`${base}${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && {
        'Content-Type': 'application/json',
        'Idempotency-Key': crypto.randomUUID(),
      }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
};

/** An empty clinic with an admin, in a folder of its own; encrypted where there is a key. */
export const newClinic = async (key?: string) => {
  const folder = newFolder();
  const path = join(folder, 'janji.db');
  // Filled elsewhere: the driver may hold a closed connection for a while, and this file is the service's alone.
  const filled = join(newFolder(), 'filled.db');
  const clinic = await fillClinicFile(filled, 1, 'admin', key);
  for (const end of ['', '-wal']) if (existsSync(filled + end)) copyFileSync(filled + end, path + end);
  return { folder, path, admin: clinic.staff.token, slot: clinic.slots[0] ?? {} };
};

/** Starts the service, and ends it with the test at the latest. */
export const serve = async (path: string, settings: Record<string, string> = {}): Promise<Service> => {
  const service = await startService(path, await freePort(), settings);
  onTestFinished(() => void service.child.kill('SIGKILL'));
  return service;
};

/** Creates typical data in a clinic; returns the secrets that people received on the way. */
export const liveIn = async (service: Service, { admin, slot }: Awaited<ReturnType<typeof newClinic>>) => {
  const told = async (path: string, body: object, token?: string) => {
    const { status, body: answer } = await ask(service, path, {
      body,
      ...(token !== undefined && { token }),
    });
    if (status !== 201) throw new Error(`${path} answered ${status}: ${JSON.stringify(answer)}`);
    return answer.data;
  };
  const patient = await told(
    '/v1/patients',
    {
      name: secrets.name,
      birth_date: '1990-05-17',
      national_id: secrets.nationalId,
      insurance_number: secrets.insuranceNumber,
      staff_notes: secrets.note,
    },
    admin,
  );
  const webhook = await told('/v1/admin/webhooks', { url: 'https://hooks.klinik.example/janji' }, admin);
  const account = await told('/v1/auth/register', {
    name: secrets.name,
    phone_number: '81234567890',
    phone_country_code: '62',
    email: 'sari@klinik.example',
    password: secrets.password,
    password_confirmation: secrets.password,
    device_id: '',
  });
  await told('/v1/bookings', { ...slot, notes: secrets.wish }, account.access_token);
  const code = await told(`/v1/patients/${patient.id}/claim-code`, {}, admin);
  await ask(service, '/v1/auth/password/forgot', { body: { email: 'sari@klinik.example' } });
  return {
    patientId: patient.id as string,
    webhookSecret: webhook.secret as string,
    accessToken: account.access_token as string,
    refreshToken: account.refresh_token as string,
    claimCode: String(code.code),
  };
};

interface Lived extends Awaited<ReturnType<typeof liveIn>> {
  folder: string;
  admin: string;
}

const livedIn = new Map<string, Promise<Lived>>();

const live = async (key: string | undefined): Promise<Lived> => {
  const clinic = await newClinic(key);
  const service = await serve(clinic.path, key === undefined ? {} : { DATABASE_KEY: key });
  const told = await liveIn(service, clinic);
  const code = await service.stop();
  if (code !== 0) throw new Error(`The service ended with ${code}.`);
  // The folder of a test goes with the test.
  const folder = mkdtempSync(join(tmpdir(), 'janji-lived-'));
  cpSync(clinic.folder, folder, { recursive: true });
  return { ...told, folder, admin: clinic.admin };
};

/** A stopped clinic with typical data: a copy of one that is made once a process under each key. */
export const stoppedClinic = async (key?: string) => {
  const known = livedIn.get(key ?? '') ?? live(key);
  livedIn.set(key ?? '', known);
  const lived = await known;
  const folder = newFolder();
  cpSync(lived.folder, folder, { recursive: true });
  return { ...lived, folder, path: join(folder, 'janji.db') };
};

/** Every file of a folder as bytes. */
export const bytesOf = (folder: string): Buffer =>
  Buffer.concat(
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => readFileSync(join(folder, name))),
  );
