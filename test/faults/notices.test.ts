import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'libsql';
import { expect, it, onTestFinished } from 'vitest';
import { fillClinicFile } from '../support/faults/clinic-file.ts';
import { freePort, startService } from '../support/faults/service.ts';
import { startGateway } from '../support/message-gateway.ts';

const minute = 60_000;
const visits = 120;

const onFile = <R>(path: string, use: (database: InstanceType<typeof Database>) => R): R => {
  const database = new Database(path, { timeout: 5_000 });
  try {
    return use(database);
  } finally {
    database.close();
  }
};

/** Approved visits that have just come due for a reminder, each of another patient. */
const fillVisits = (path: string, { doctor_id, session_id }: { doctor_id: string; session_id: string }) =>
  onFile(path, (database) => {
    const start = Math.ceil((Date.now() + 110 * minute) / minute) * minute;
    const local = new Date(start + 7 * 60 * minute).toISOString();
    const patients = database.prepare("select id from users where role = 'patient'").all() as {
      id: string;
    }[];
    const insert = database.prepare(
      `insert into bookings (id, version, write_id, patient_id, doctor_id, doctor_name, session_id, session_name,
        schedule_date, schedule_time, starts_at, ends_at, seat, queue_number, booking_code, notes, status, created_by,
        created_at, updated_at, call_count) values (?, 1, ?, ?, ?, 'dr. Sari', ?, 'Konsultasi', ?, ?, ?, ?, ?, ?, ?, '',
        'approved', ?, 1, 1, 0)`,
    );
    for (const [at, { id }] of patients.entries()) {
      const own = `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
      const day = [local.slice(0, 10), local.slice(11, 19), start, start + 30 * minute];
      insert.run([own, own, id, doctor_id, session_id, ...day, at + 1, at + 1, `K${at}`, id]);
      database.prepare('update users set phone_number = ? where id = ?').run([String(811_000_000 + at), id]);
    }
    database
      .prepare('update clinic set noticed_sequence = 0, reminded_at = ?')
      .run([Date.now() - 15 * minute]);
    return patients.length;
  });

const statesIn = (path: string): Record<string, number> =>
  onFile(path, (database) =>
    Object.fromEntries(
      (
        database.prepare('select state, count(*) as n from notices group by state').all() as {
          state: string;
          n: number;
        }[]
      ).map(({ state, n }) => [state, n]),
    ),
  );

it('two processes, of which one is killed among its messages, remind each patient once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'janji-notices-'));
  const path = join(folder, 'janji.db');
  const clinic = await fillClinicFile(path, visits);
  const [slot] = clinic.slots;
  if (slot === undefined) throw new Error('There is no slot.');
  expect(fillVisits(path, slot)).toBe(visits);
  const gateway = await startGateway();
  const settings = {
    NOTICE_API_URL: `${gateway.url}/box/slow`,
    NOTICE_API_KEY: 'kunci-gateway',
    QUIET_HOURS: 'off',
  };
  const start = async () => startService(path, await freePort(), settings);
  const killed = await start();
  onTestFinished(() => {
    killed.child.kill('SIGKILL');
    gateway.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const box = gateway.boxOf('box');
  while (box.attempts.length < 10) await sleep(20);
  const services = [await start()];
  await killed.kill();
  services.push(await start());
  onTestFinished(() => {
    for (const { child } of services) child.kill('SIGKILL');
  });
  while ((statesIn(path).sent ?? 0) < visits) await sleep(500);
  expect(statesIn(path)).toEqual({ sent: visits });
  expect(new Set(box.delivered.map(({ to }) => to)).size).toBe(visits);
  expect(box.delivered).toHaveLength(visits);
  // Messages that the killed process had sent but not recorded were sent again, under the same id.
  expect(new Set(box.attempts.map(({ id }) => id)).size).toBe(visits);
  expect(services.map((service) => service.errors())).toEqual(['', '']);
});
