import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { insertClinic } from '../../src/modules/clinics/queries.ts';
import { openDirectory } from '../../src/runtime/node/clinics/directory-file.ts';
import { findProblems } from '../../src/runtime/node/database/invariants.ts';
import { violationsIn } from '../support/faults/checker.ts';
import { fillClinicFile } from '../support/faults/clinic-file.ts';
import type { Tally } from '../support/faults/sender.ts';
import { freePort, type Service, startService } from '../support/faults/service.ts';
import { sqldBinary, startSqld } from '../support/faults/sqld.ts';
import { countOf, load } from '../support/faults/storm.ts';

/** Short, so that a machine that is gone is not waited for; a starved test machine still renews in time. */
const leaseSeconds = 6;

const newTally = (): Tally => ({ sent: 0, acknowledged: 0, interrupted: 0, unavailable: 0, recovered: 0 });

const send = async (base: string, path: string, token?: string, body?: object) => {
  const response = await fetch(`${base}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
};

const directories: [string, boolean][] = [
  ['a file', false],
  ['a libSQL server', true],
];

/** Machines that serve one clinic of a shared folder, by a directory that they share. */
const openMachines = async (onServer: boolean, patientCount: number) => {
  const folder = mkdtempSync(join(tmpdir(), 'janji-machines-'));
  const path = join(folder, 'melati.db');
  const clinic = await fillClinicFile(path, patientCount);
  const shared = onServer ? (await startSqld()).url : `file:${join(folder, 'shared.db')}`;
  const { db, close } = await openDirectory(folder, { make: true, shared: { url: shared } });
  // The host of the tests' requests; the clinic's id is that of its database.
  const row = {
    id: clinic.clinicId,
    name: 'Melati',
    timeZone: 'Asia/Jakarta',
    hosts: ['127.0.0.1'],
    file: path,
  };
  await insertClinic(db, row, Date.now());
  await close();
  const running: Service[] = [];
  onTestFinished(() => {
    for (const { child } of running) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  const start = async (port?: number): Promise<Service> => {
    const own = port ?? (await freePort());
    const service = await startService(join(folder, 'unused.db'), own, {
      CLINICS: 'files',
      CLINICS_FOLDER: folder,
      CLINICS_DIRECTORY: shared,
      CLINICS_ADDRESS: `http://127.0.0.1:${own}`,
      CLINICS_LEASE: String(leaseSeconds),
      METRICS_TOKEN: 'metrics-of-machines-0123',
    });
    running.push(service);
    return service;
  };
  return { folder, path, clinic, start };
};

/** Whether a machine owns the clinic, by its metrics, which it answers under any host that is no clinic's. */
const owns = async ({ base }: Service): Promise<boolean> => {
  const response = await fetch(`${base.replace('127.0.0.1', 'localhost')}/metrics`, {
    headers: { Authorization: 'Bearer metrics-of-machines-0123' },
  });
  return /^janji_clinics_owned 1$/m.test(await response.text());
};

/** Asks again where a machine is busy or a clinic moves, as clients do. */
const answeredBy = async (service: Service, path: string, token?: string, body?: object) => {
  const began = performance.now();
  for (;;) {
    const answer = await send(service.base, path, token, body);
    if (answer.status !== 503) return { ...answer, afterMs: performance.now() - began };
    expect(answer.headers.get('Retry-After')).toMatch(/^\d+$/);
    expect(['clinic_moving', 'unavailable']).toContain(answer.body.code);
    await sleep(100);
  }
};

describe.each(directories)('two machines on one folder, with %s as their directory', (_, onServer) => {
  const on = onServer && sqldBinary === undefined ? it.skip : it;

  on('give the last seat to exactly one of 100 patients who ask both at once', async () => {
    const { clinic, path, start } = await openMachines(onServer, 100);
    const machines = [await start(), await start()];
    const [slot] = clinic.slots;
    const answers = await Promise.all(
      clinic.patients.map(({ token }, at) =>
        answeredBy(machines[at % 2] as Service, '/v1/bookings', token, { ...slot, notes: '' }),
      ),
    );
    const counts: Record<string, number> = {};
    for (const { status, body } of answers) {
      const outcome = `${status} ${body.code ?? ''}`;
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
    expect(counts).toEqual({ '201 ': 1, '409 slot_full': 99 });
    expect((await Promise.all(machines.map(owns))).sort()).toEqual([false, true]);
    expect(await Promise.all(machines.map((machine) => machine.stop()))).toEqual([0, 0]);
    expect(findProblems(path)).toEqual([]);
  });

  on('lose nothing that was acknowledged when the owner is killed under load, again and again', async () => {
    const { clinic, path, start } = await openMachines(onServer, 16);
    const machines = [await start(), await start()];
    const tally = newTally();
    const atWork = load(clinic, () => machines.map(({ base }) => base), tally);
    let killedOwners = 0;
    for (let killed = 0; killed < 3; killed++) {
      const enough = tally.acknowledged + 40;
      while (tally.acknowledged < enough && !atWork.isOver()) await sleep(5);
      const at = (await owns(machines[0] as Service)) ? 0 : 1;
      const victim = machines[at] as Service;
      killedOwners += 1;
      await victim.kill();
      // The other one serves after the lease, though this one stays away.
      const other = machines[1 - at] as Service;
      machines[at] = other;
      await answeredBy(other, '/v1/doctors');
      machines[at] = await start(Number(new URL(victim.base).port));
    }
    const patients = await atWork.finish();
    process.stdout.write(`3 kills of the owner: ${JSON.stringify({ ...countOf(patients), ...tally })}\n`);
    expect(killedOwners).toBe(3);
    expect(tally.unavailable).toBeGreaterThan(0);
    expect(await Promise.all(machines.map((machine) => machine.stop()))).toEqual([0, 0]);
    expect(violationsIn(path, clinic, patients)).toEqual([]);
  });

  on('never write both, though the owner sleeps for longer than its lease and wakes', async () => {
    const { clinic, path, start } = await openMachines(onServer, 16);
    const machines = [await start(), await start()];
    const [{ token } = { token: '' }] = clinic.patients;
    const tally = newTally();
    const atWork = load(clinic, () => machines.map(({ base }) => base), tally);
    while (tally.acknowledged < 60 && !atWork.isOver()) await sleep(5);
    const at = (await owns(machines[0] as Service)) ? 0 : 1;
    const [sleeper, other] = [machines[at] as Service, machines[1 - at] as Service];
    sleeper.child.kill('SIGSTOP');
    await sleep((leaseSeconds + 2) * 1000);
    // The file's lock is the sleeper's until it wakes: nobody writes meanwhile, and nobody is told otherwise.
    const acknowledgedAsleep = tally.acknowledged;
    const meanwhile = await send(other.base, '/v1/doctors');
    expect(meanwhile).toMatchObject({ status: 503, body: { code: 'clinic_moving' } });
    expect(tally.acknowledged).toBe(acknowledgedAsleep);
    sleeper.child.kill('SIGCONT');
    await answeredBy(other, '/v1/bookings/history', token);
    const enough = tally.acknowledged + 60;
    while (tally.acknowledged < enough && !atWork.isOver()) await sleep(5);
    const patients = await atWork.finish();
    process.stdout.write(`asleep: ${JSON.stringify({ ...countOf(patients), ...tally })}\n`);
    expect((await Promise.all(machines.map(owns))).filter(Boolean)).toHaveLength(1);
    expect(await Promise.all(machines.map((machine) => machine.stop()))).toEqual([0, 0]);
    expect(violationsIn(path, clinic, patients)).toEqual([]);
  });

  on('hand over at a clean stop long before the lease would end', async () => {
    const { clinic, start } = await openMachines(onServer, 1);
    const [a, b] = [await start(), await start()];
    const [{ token } = { token: '' }] = clinic.patients;
    expect((await send(a.base, '/v1/bookings/history', token)).status).toBe(200);
    expect(await owns(a)).toBe(true);
    expect(await a.stop()).toBe(0);
    expect((await send(b.base, '/v1/bookings/history', token)).status).toBe(200);
    expect(await owns(b)).toBe(true);
  });
});
