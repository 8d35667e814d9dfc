import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'libsql';
import { expect, it, onTestFinished } from 'vitest';
import { violationsIn } from '../support/faults/checker.ts';
import { fillClinicFile } from '../support/faults/clinic-file.ts';
import { follow, type Told } from '../support/faults/follower.ts';
import type { Tally } from '../support/faults/sender.ts';
import { freePort, type Service, startService } from '../support/faults/service.ts';
import { load } from '../support/faults/storm.ts';

const writers = 64;
const betweenKills = 200;
/** A machine that is too slow for all of it kills once at least, and ends. */
const longestMs = 35_000;

const eventsIn = (path: string): Told[] => {
  const database = new Database(path, { timeout: 1000 });
  try {
    return database
      .prepare('select sequence, type, booking_id from booking_events order by sequence')
      .all() as Told[];
  } finally {
    database.close();
  }
};

const asTold = ({ sequence, type, booking_id }: Told) => `${sequence} ${type} ${booking_id}`;

it.each([
  ['one server', 1],
  ['two servers on one file', 2],
])(
  'the feed of %s tells readers every change once and in order, under 64 writers and 3 kills',
  async (name, servers) => {
    const folder = mkdtempSync(join(tmpdir(), 'janji-feed-'));
    const path = join(folder, 'janji.db');
    const clinic = await fillClinicFile(path, writers);
    const running: Service[] = [];
    let isAbandoned = false;
    onTestFinished(() => {
      isAbandoned = true;
      for (const { child } of running) child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    });
    for (let made = 0; made < servers; made++) running.push(await startService(path, await freePort()));
    const bases = () => running.map(({ base }) => base);
    const tally: Tally = { sent: 0, acknowledged: 0, interrupted: 0, unavailable: 0, recovered: 0 };
    const followers = [3, 7, 100].map((limit) => follow(bases, clinic.staff.token, limit));
    const writing = load(clinic, bases, tally);
    const until = performance.now() + longestMs;
    let kills = 0;
    while (kills < 3 && (kills === 0 || performance.now() < until)) {
      const enough = tally.acknowledged + betweenKills;
      while (tally.acknowledged < enough && !writing.isOver() && !isAbandoned) await sleep(5);
      if (isAbandoned) return;
      const at = kills % servers;
      const victim = running[at] as Service;
      await victim.kill();
      running[at] = await startService(path, Number(new URL(victim.base).port));
      kills += 1;
    }
    await sleep(300);
    const patients = await writing.finish();
    const told = await Promise.all(followers.map((follower) => follower.finish()));
    const counts = followers.map((follower) => follower.counts());
    expect(await Promise.all(running.map((service) => service.stop()))).toEqual(running.map(() => 0));
    process.stdout.write(`${name}: ${JSON.stringify({ kills, ...tally, followers: counts })}\n`);

    const written = eventsIn(path).map(asTold);
    for (const one of told) expect(one.map(asTold)).toEqual(written);
    expect(violationsIn(path, clinic, patients)).toEqual([]);
    // Without these it would have proved nothing.
    expect(written.length).toBeGreaterThan(betweenKills);
    expect(tally.interrupted).toBeGreaterThan(0);
    // A reader whose pages are so large that it is always at the end has read while others wrote.
    for (const { asked } of counts) expect(asked).toBeGreaterThan(10);
  },
);
