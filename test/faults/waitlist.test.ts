import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { expect, it, onTestFinished } from 'vitest';
import { ensureClinic, toClinicIdentity } from '../../src/core/clinic/row.ts';
import { createClinicTime } from '../../src/core/clinic/time.ts';
import { clinicKeys } from '../../src/core/crypto/clinic-keys.ts';
import { createTokenKeys } from '../../src/core/crypto/token-keys.ts';
import type { Deps } from '../../src/core/deps.ts';
import { bookings } from '../../src/core/tables/bookings.ts';
import { waitlistEntries } from '../../src/core/tables/queues.ts';
import { openDatabase } from '../../src/runtime/node/database/database.ts';
import { findProblems } from '../../src/runtime/node/database/invariants.ts';
import { bookingInput, createClosure, createPractice } from '../support/clinic.ts';
import { differencesFrom, type Settled } from '../support/faults/acknowledged.ts';
import { makeSender, type Tally } from '../support/faults/sender.ts';
import {
  faultsDataKey,
  faultsSecret,
  freePort,
  type Service,
  startService,
} from '../support/faults/service.ts';
import { passedOverIn } from '../support/passed-over.ts';
import { createPeople, createPerson } from '../support/people.ts';
import type { World } from '../support/world.ts';

const minuteMs = 60_000;
const timeOf = (at: number) =>
  `${String(8 + Math.floor(at / 2)).padStart(2, '0')}:${at % 2 === 0 ? '00' : '30'}:00`;

/** Two days of 16 slots with one seat each: twelve are taken and the rest closed, 200 wait for any of them. */
const fill = async (path: string) => {
  const { db, close } = await openDatabase(`file:${path}`);
  const zone = 'Asia/Jakarta';
  const identity = toClinicIdentity(await ensureClinic(db, zone), 0);
  const keys = await clinicKeys(identity, { secret: faultsSecret, dataKey: faultsDataKey });
  const deps = { db, newId: () => crypto.randomUUID(), tokenKeys: await createTokenKeys(keys) } as Deps;
  const now = Date.now();
  const world = { deps, db, clock: { now } } as World;
  const practice = await createPractice(world);
  const time = createClinicTime(zone);
  const [first, second, away] = [1, 2, 3].map((days) => time.addDays(time.dateOf(now), days)) as [
    string,
    string,
    string,
  ];
  const closed = (startDate: string, startTime: string, endTime: string) =>
    createClosure(world, { startDate, startTime, endTime });
  await closed(first, '14:00:00', '24:00:00');
  await closed(second, '12:00:00', '24:00:00');
  const closureId = await closed(second, '08:00:00', '12:00:00');
  const [holders, waiting, bookers] = [
    await createPeople(world, 12),
    await createPeople(world, 200),
    await createPeople(world, 20),
  ];
  const entries = waiting.map((person, at) => ({
    id: deps.newId(),
    patientId: person.id,
    sessionId: practice.sessionId,
    fromDate: first,
    toDate: second,
    position: at + 1,
    createdBy: person.id,
    createdAt: now,
  }));
  const admin = await createPerson(world, 'admin');
  await close();
  const slot = (date: string, at: number) =>
    bookingInput(practice, { schedule_date: date, schedule_time: timeOf(at) });
  const seats = [
    ...Array.from({ length: 12 }, (_, at) => slot(first, at)),
    ...Array.from({ length: 8 }, (_, at) => slot(second, at)),
  ];
  return {
    entries,
    holders,
    waiting,
    bookers,
    admin,
    closureId,
    seats,
    elsewhere: (at: number) => slot(away, at),
  };
};

it('20 seats of 200 who wait have one holder each, in order and for their time, though servers are killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'janji-waitlist-'));
  const [path, ahead] = [join(folder, 'janji.db'), join(folder, 'ahead')];
  const clinic = await fill(path);
  const { entries, holders, waiting, bookers, admin, closureId, seats, elsewhere } = clinic;
  let aheadMs = 0;
  const pass = (minutes: number): void => {
    aheadMs += minutes * minuteMs;
    writeFileSync(ahead, String(aheadMs));
  };
  pass(0);
  const clock = fileURLToPath(new URL('../support/faults/clock-ahead.ts', import.meta.url));
  const start = (port: number) =>
    startService(path, port, { QUIET_HOURS: 'off', CLOCK_AHEAD: ahead }, ([node, ...rest]) => [
      node,
      '--import',
      clock,
      ...rest,
    ]);
  const running: Service[] = [await start(await freePort()), await start(await freePort())];
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
    for (const { child } of running) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  const tally: Tally = { sent: 0, acknowledged: 0, interrupted: 0, unavailable: 0, recovered: 0 };
  const send = makeSender(() => running.map(({ base }) => base), tally);
  const settled: Settled[] = [];
  const order = async (person: { id: string; token: string }, to: string, body: object) => {
    const ids = { key: crypto.randomUUID(), requestId: crypto.randomUUID() };
    const sent = { path: to, body, userId: person.id, token: person.token, ...ids };
    const answer = await send(sent);
    settled.push({ order: sent, answer });
    return answer;
  };
  /** Asks any server that answers, again and again. */
  const ask = async (token: string, to: string, method = 'GET'): Promise<Response> => {
    for (;;) {
      const base = running[Math.floor(Math.random() * running.length)]?.base;
      const response = await fetch(`${base}${to}`, {
        method,
        headers: { Authorization: `Bearer ${token}` },
      }).catch(() => null);
      if (response !== null && response.status !== 503) return response;
      await sleep(30);
    }
  };

  const booked = await Promise.all(
    holders.map((person, at) => order(person, '/v1/bookings', seats[at] ?? {})),
  );
  expect(booked.map(({ status }) => status)).toEqual(holders.map(() => 201));
  // They begin to wait when nothing is free any more: until then the job would offer it.
  const { db, close } = await openDatabase(`file:${path}`);
  for (let at = 0; at < entries.length; at += 20)
    await db.insert(waitlistEntries).values(entries.slice(at, at + 20));
  const idOf = (at: number) => booked[at]?.body.data.id as string;
  const freeing = Promise.all([
    ...holders.map(async (person, at) => {
      await sleep(Math.random() * 3_000);
      if (at < 8) await order(person, `/v1/bookings/${idOf(at)}/cancel`, {});
      else await order(person, `/v1/bookings/${idOf(at)}/reschedule`, elsewhere(at));
    }),
    sleep(1_000).then(() => ask(admin.token, `/v1/admin/closures/${closureId}`, 'DELETE')),
  ]);
  /** The holder of an offer accepts or declines, sometimes twice, or does nothing. */
  const answering = (async () => {
    const said = new Set<string>();
    while (!isOver) {
      await sleep(100);
      const rows = await db.select().from(bookings).where(sql`status = 'waiting' and held_until is not null`);
      const answers = rows.flatMap(({ id, patientId, waitlistId }) => {
        const at = waiting.findIndex((person) => person.id === patientId);
        const person = waiting[at];
        if (person === undefined || at % 3 === 2 || said.has(id)) return [];
        said.add(id);
        const ways = at % 3 === 0 ? ['accept', 'accept', 'decline'] : ['decline'];
        return ways.map((way) => order(person, `/v1/waitlist/${waitlistId}/${way}`, { booking_id: id }));
      });
      await Promise.all(answers);
    }
  })();
  const booking = bookers.slice(0, 12).map(async (person) => {
    while (!isOver) {
      await sleep(200 + Math.random() * 600);
      const { status } = await order(
        person,
        '/v1/bookings',
        seats[Math.floor(Math.random() * seats.length)] ?? {},
      );
      if (status === 201) return;
    }
  });
  // Each restart runs the job at once; in between the time of what nobody answered passes.
  for (let kills = 0; kills < 6; kills++) {
    const enough = tally.acknowledged + 3;
    for (let waited = 0; tally.acknowledged < enough && waited < 50; waited++) await sleep(20);
    await sleep(Math.random() * 300);
    if (kills % 2 === 1) pass(31);
    const at = kills % 2;
    const victim = running[at] as Service;
    await victim.kill();
    running[at] = await start(Number(new URL(victim.base).port));
  }
  await freeing;
  isOver = true;
  await Promise.all([answering, ...booking]);

  // One second after the last offers are over the next who comes has the seat, or somebody was offered it meanwhile.
  const readLive = async () => {
    const rows = await db.select().from(bookings);
    const live = rows.filter(({ status }) => status !== 'canceled');
    return { rows, live, passed: await passedOverIn(db) };
  };
  const { live: held } = await readLive();
  const last = Math.max(0, ...held.map(({ heldUntil }) => heldUntil ?? 0));
  aheadMs = Math.max(aheadMs, last + 1_000 - Date.now());
  pass(0);
  await sleep(200);
  const open = held.filter(({ heldUntil }) => heldUntil !== null);
  await Promise.all(
    open.slice(0, 8).map((row, at) =>
      order(bookers[12 + at] ?? admin, '/v1/bookings', {
        ...seats[0],
        schedule_date: row.scheduleDate,
        schedule_time: row.scheduleTime,
      }),
    ),
  );
  const { rows, live, passed } = await readLive();
  await close();
  const over = open.slice(0, 8).filter(({ doctorId, startsAt }) => {
    const now = live.find((row) => row.doctorId === doctorId && row.startsAt === startsAt);
    return now === undefined || (now.heldUntil !== null && now.heldUntil <= last);
  });
  const exitCodes = await Promise.all(running.map((service) => service.stop()));
  const ofWaiting = rows.filter(({ waitlistId }) => waitlistId !== null);
  const counts = {
    offered: ofWaiting.length,
    accepted: ofWaiting.filter(({ heldUntil }) => heldUntil === null).length,
    declined: rows.filter(({ cancelReasonCode }) => cancelReasonCode === 'offer_declined').length,
    lapsed: rows.filter(({ cancelReasonCode }) => cancelReasonCode === 'offer_lapsed').length,
    byOthers: settled.filter(({ answer }) => answer.status === 201).length - holders.length,
  };
  process.stdout.write(`waitlist: ${JSON.stringify({ ...counts, ...tally })}\n`);
  expect(over).toEqual([]);
  expect([...findProblems(path), ...differencesFrom(path, settled)]).toEqual([]);
  expect(passed).toEqual([]);
  const early = rows.filter(
    (row) => row.cancelReasonCode === 'offer_lapsed' && (row.canceledAt ?? 0) < (row.heldUntil ?? 0),
  );
  expect(early).toEqual([]);
  const holding = live.filter(({ waitlistId }) => waitlistId !== null).map(({ patientId }) => patientId);
  expect(new Set(holding).size).toBe(holding.length);
  expect(new Set(live.map(({ doctorId, startsAt }) => `${doctorId} ${startsAt}`)).size).toBe(live.length);
  expect([exitCodes, running.map((service) => service.errors()).join('')]).toEqual([[0, 0], '']);
  // Without these it would have proved nothing.
  for (const count of [counts.accepted, counts.declined, counts.lapsed]) expect(count).toBeGreaterThan(3);
  expect(tally.interrupted).toBeGreaterThan(6);
}, 300_000);
