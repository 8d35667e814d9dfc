import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { copyLive } from '../../../src/runtime/node/backup/live-copy.ts';
import { overbookedIn, violationsIn } from './checker.ts';
import { type ClinicFile, fillClinicFile } from './clinic-file.ts';
import { openDesks } from './desk.ts';
import { type AtWork, livePatient } from './patient.ts';
import { makeSender, type Tally } from './sender.ts';
import { freePort, type Service, startService } from './service.ts';

const patientCount = 24;
const deskCount = 6;

/** A process that holds the write lock for 10 to 400 ms at random, and counts how often. */
const holdLocks = (path: string, key?: string) => {
  const child = fork(fileURLToPath(new URL('lock-holder.ts', import.meta.url)), [
    path,
    ...(key === undefined ? [] : [key]),
  ]);
  let held = 0;
  child.on('message', () => held++);
  return async () => {
    child.disconnect();
    if (child.exitCode === null) await once(child, 'exit');
    return held;
  };
};

/** Patients and desks that work until they are asked to finish; each finishes what it began, retries included. */
export const load = (clinic: ClinicFile, bases: () => readonly string[], tally: Tally) => {
  const send = makeSender(bases, tally);
  let isOver = false;
  const patients = clinic.patients.map((person) => livePatient(send, person, clinic.staff, clinic.slots));
  const desks = openDesks(send, clinic.staff, clinic.patients, clinic.today);
  const live = async ({ act }: AtWork): Promise<void> => {
    while (!isOver) await act();
  };
  const living = Promise.all([...patients, ...Array(deskCount).fill(desks)].map(live));
  living.catch(() => {
    isOver = true;
  });
  const atWork: readonly AtWork[] = [...patients, desks];
  return {
    isOver: () => isOver,
    /** How many changes of each kind were acknowledged so far. */
    counts: () => countOf(atWork),
    finish: async () => {
      isOver = true;
      await living;
      return atWork;
    },
  };
};

const byPatients = ['bookings', 'cancel', 'reschedule', 'approve'] as const;
const byDesks = ['next', 'skip', 'undo'] as const;

/** How many changes of each kind were acknowledged. */
export const countOf = (atWork: readonly AtWork[]) => {
  const done = atWork.flatMap(({ settled }) => settled).filter(({ answer }) => answer.status < 300);
  const verbs = done.map(({ order }) => order.path.split('/').at(-1));
  const counted = (all: readonly string[]) =>
    Object.fromEntries(all.map((verb) => [verb, verbs.filter((other) => other === verb).length]));
  return { ofPatients: counted(byPatients), ofDesks: counted(byDesks) };
};

export interface StormPlan {
  servers: number;
  kills: number;
  locks: boolean;
  /** The key of an encrypted file. */
  key?: string;
}

/**
 * Servers on one file under load, killed again and again while patients retry by key; then the file's content is
 * compared with the acknowledged results.
 */
export const storm = async ({ servers, kills, locks, key }: StormPlan) => {
  const folder = mkdtempSync(join(tmpdir(), 'janji-faults-'));
  const path = join(folder, 'janji.db');
  const clinic = await fillClinicFile(path, patientCount, 'staff', key);
  const settings = key === undefined ? {} : { DATABASE_KEY: key };
  const running: Service[] = [];
  let isAbandoned = false;
  // Also when the test's time is over and nobody waits here any more.
  onTestFinished(() => {
    isAbandoned = true;
    for (const { child } of running) child.kill('SIGKILL');
  });
  for (let made = 0; made < servers; made++)
    running.push(await startService(path, await freePort(), settings));
  const tally: Tally = { sent: 0, acknowledged: 0, interrupted: 0, unavailable: 0, recovered: 0 };
  const endLocks = locks ? holdLocks(path, key) : async () => 0;
  const patientsAtWork = load(clinic, () => running.map(({ base }) => base), tally);
  try {
    for (let killed = 0; killed < kills && !isAbandoned; killed++) {
      // Ends by the work done and not by the clock, so that a slow machine proves as much.
      const enough = tally.acknowledged + 20 + Math.random() * 30;
      while (tally.acknowledged < enough && !patientsAtWork.isOver() && !isAbandoned) await sleep(5);
      await sleep(Math.random() * 50);
      const at = killed % servers;
      const victim = running[at] as Service;
      await victim.kill();
      running[at] = await startService(path, Number(new URL(victim.base).port), settings);
    }
    // Rare actions may not have happened yet: without them the storm would prove less.
    const isComplete = () =>
      Object.values(patientsAtWork.counts()).every((kinds) =>
        Object.values(kinds).every((count) => count > 0),
      );
    do await sleep(300);
    while (!isComplete() && !patientsAtWork.isOver() && !isAbandoned);
    const patients = await patientsAtWork.finish();
    const lockCount = await endLocks();
    const exitCodes = await Promise.all(running.map((service) => service.stop()));
    const errors = running.map((service) => service.errors()).join('');
    const acknowledged = countOf(patients);
    const readable = key === undefined ? path : join(folder, 'readable.db');
    if (key !== undefined) await copyLive(path, readable, () => {}, key, null);
    const violations = violationsIn(readable, clinic, patients);
    const overbooked = overbookedIn(readable);
    return { violations, acknowledged, overbooked, tally, lockCount, exitCodes, errors };
  } finally {
    for (const { child } of running) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
};
