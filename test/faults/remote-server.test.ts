import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { violationsIn } from '../support/faults/checker.ts';
import { type ClinicFile, fillClinic } from '../support/faults/clinic-file.ts';
import type { AtWork } from '../support/faults/patient.ts';
import type { Tally } from '../support/faults/sender.ts';
import { faultsSecret, freePort, type Service, startService } from '../support/faults/service.ts';
import { newTokenKey, type Sqld, sqldBinary, startSqld } from '../support/faults/sqld.ts';
import { countOf, load } from '../support/faults/storm.ts';
import { commandArguments } from '../support/node/entries.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const serve = async (url: string, settings: Record<string, string> = {}): Promise<Service> => {
  const all = { DATABASE_URL: url, ...settings };
  const service = await startService('', await freePort(), all);
  onTestFinished(() => void service.child.kill('SIGKILL'));
  return service;
};

const send = async ({ base }: Service, path: string, token?: string, body?: object, key?: string) => {
  const response = await fetch(`${base}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(key !== undefined && { 'Idempotency-Key': key }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const replayed = response.headers.get('Idempotency-Replayed');
  return { status: response.status, body: JSON.parse(await response.text()), replayed };
};

const newTally = (): Tally => ({ sent: 0, acknowledged: 0, interrupted: 0, unavailable: 0, recovered: 0 });

/** The faults that the commands `export` and `verify` find, and the differences to the patients' answers. */
const exportedViolations = ({ url, folder }: Sqld, clinic: ClinicFile, patients: readonly AtWork[]) => {
  const file = join(folder, 'export.db');
  for (const command of ['export', 'verify']) {
    const env = { ...process.env, DATABASE_URL: url, JWT_SECRET: faultsSecret };
    const { status, stderr } = spawnSync(process.execPath, [...commandArguments, command, file], {
      cwd: root,
      env,
    });
    if (status !== 0) return [`${command} ended with ${status}: ${stderr}`];
  }
  return violationsIn(file, clinic, patients);
};

describe.skipIf(sqldBinary === undefined)('on a libSQL server, two processes', () => {
  it('share every step of a patient: register, log in, book, repeat, cancel', async () => {
    const sqld = await startSqld();
    const clinic = await fillClinic(sqld.url, 0);
    const [a, b] = [await serve(sqld.url), await serve(sqld.url)];
    const account = {
      email: 'dua@klinik.example',
      password: 'kata-sandi-uji-17',
      device_id: '',
      name: 'Dua Proses',
      phone_number: '81234567890',
      phone_country_code: '62',
    };
    const registration = { ...account, password_confirmation: account.password };
    expect((await send(a, '/v1/auth/register', undefined, registration)).status).toBe(201);
    const { email, password } = account;
    const login = await send(b, '/v1/auth/login', undefined, { email, password });
    expect(login.status).toBe(200);
    const token = login.body.data.access_token;
    const [slot] = clinic.slots;
    const slots = `/v1/doctors/${slot?.doctor_id}/slots?session_id=${slot?.session_id}`;
    expect((await send(b, slots)).status).toBe(200);
    const booked = await send(a, '/v1/bookings', token, slot, 'sekali');
    expect([booked.status, booked.replayed]).toEqual([201, null]);
    const repeated = await send(b, '/v1/bookings', token, slot, 'sekali');
    expect(repeated).toEqual({ ...booked, replayed: 'true' });
    const canceled = await send(b, `/v1/bookings/${booked.body.data.id}/cancel`, token, {});
    expect([canceled.status, canceled.body.data.status]).toEqual([200, 'canceled']);
  });

  it('give the last seat to exactly one of 200 patients', async () => {
    const sqld = await startSqld();
    const clinic = await fillClinic(sqld.url, 200);
    const services = [await serve(sqld.url), await serve(sqld.url)];
    const [slot] = clinic.slots;
    const ask = async (service: Service, token: string): ReturnType<typeof send> => {
      const answer = await send(service, '/v1/bookings', token, { ...slot, notes: '' });
      if (answer.status !== 503) return answer;
      await sleep(100);
      return ask(service, token);
    };
    const answers = await Promise.all(
      clinic.patients.map(({ token }, at) => ask(services[at % 2] as Service, token)),
    );
    const outcomes = Map.groupBy(answers, ({ status, body }) => `${status} ${body.code ?? ''}`);
    const counts = Object.fromEntries([...outcomes].map(([outcome, all]) => [outcome, all.length]));
    expect(counts).toEqual({ '201 ': 1, '409 slot_full': 199 });
  });

  it('serve 16 writers for 30 s without a 503, and the server goes on taking writes', async () => {
    const sqld = await startSqld();
    const clinic = await fillClinic(sqld.url, 16);
    const services = [await serve(sqld.url), await serve(sqld.url)];
    const tally = newTally();
    const atWork = load(clinic, () => services.map(({ base }) => base), tally);
    await sleep(30_000);
    const patients = await atWork.finish();
    process.stdout.write(`16 writers for 30 s: ${JSON.stringify({ ...countOf(patients), ...tally })}\n`);
    // How many it does, and whether one of them takes longer than its client waits, is the machine's speed.
    expect(tally.unavailable).toBe(0);
    expect(tally.acknowledged).toBeGreaterThan(0);
    for (const service of services) expect((await send(service, '/ready')).status).toBe(200);
    expect(await Promise.all(services.map((service) => service.stop()))).toEqual([0, 0]);
    expect(exportedViolations(sqld, clinic, patients)).toEqual([]);
  });

  it('lose nothing that was acknowledged when the server is killed and started again under load', async () => {
    const sqld = await startSqld();
    const clinic = await fillClinic(sqld.url, 16);
    const services = [await serve(sqld.url), await serve(sqld.url)];
    const tally = newTally();
    const atWork = load(clinic, () => services.map(({ base }) => base), tally);
    for (const downMs of [3_000, 0, 0]) {
      const enough = tally.acknowledged + 60;
      while (tally.acknowledged < enough && !atWork.isOver()) await sleep(5);
      await sqld.kill();
      await sleep(downMs);
      await sqld.restart();
    }
    const patients = await atWork.finish();
    process.stdout.write(`3 kills of the server: ${JSON.stringify({ ...countOf(patients), ...tally })}\n`);
    expect(tally.unavailable).toBeGreaterThan(0);
    expect(await Promise.all(services.map((service) => service.stop()))).toEqual([0, 0]);
    expect(exportedViolations(sqld, clinic, patients)).toEqual([]);
  });

  it('connect only with the right token, and a refused start does not print it', async () => {
    const [key, stranger] = [newTokenKey(), newTokenKey()];
    const sqld = await startSqld(key.publicKey);
    const service = await serve(sqld.url, { DATABASE_AUTH_TOKEN: key.token });
    expect((await send(service, '/ready')).status).toBe(200);
    for (const settings of [{ DATABASE_AUTH_TOKEN: stranger.token }, {}]) {
      const failed = await serve(sqld.url, settings).catch(String);
      expect(failed).toMatch(/The service did not start: .+/);
      expect(failed).not.toContain(stranger.token);
    }
  });
});
