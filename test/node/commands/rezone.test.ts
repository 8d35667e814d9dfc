import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ensureClinic } from '../../../src/core/clinic/row.ts';
import { createClinicTime } from '../../../src/core/clinic/time.ts';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { clinic } from '../../../src/core/tables/catalog.ts';
import { bookingEvents } from '../../../src/core/tables/webhooks.ts';
import { rezone } from '../../../src/modules/booking/rezone/rezone.ts';
import { openD1ByWrangler } from '../../../src/runtime/node/d1/d1-database.ts';
import { openDatabase } from '../../../src/runtime/node/database/database.ts';
import { findProblems } from '../../../src/runtime/node/database/invariants.ts';
import { bookingInput, createPractice } from '../../support/clinic.ts';
import { commandLine, fileOfD1, makeD1, newFolder } from '../../support/node/command-line.ts';
import { type Fault, serveHrana } from '../../support/node/hrana-server.ts';
import { change } from '../../support/node/rows.ts';
import { createPerson } from '../../support/people.ts';
import { createWorld } from '../../support/world.ts';

let folder = '';
beforeEach(() => {
  folder = newFolder();
});

const path = () => join(folder, 'janji.db');
const janji = (...args: string[]) => commandLine(folder)('rezone', ...args);

/** A clinic in Jakarta with one booking, at 09:00, in the database behind the URL. */
const fillIn = async (url: string) => {
  const { db, close } = await openDatabase(url);
  await ensureClinic(db, 'Asia/Jakarta');
  const world = await createWorld({ MAX_ADVANCE_DAYS: '365' });
  world.db = world.deps.db = db;
  const practice = await createPractice(world);
  const { token } = await createPerson(world);
  const body = bookingInput(practice, { schedule_date: '2027-03-14' });
  expect((await world.request('/v1/bookings', { token, body })).status).toBe(201);
  return { db, close, world };
};

const inMakassar = Date.parse('2027-03-14T01:00:00Z');

describe('rezone', () => {
  it('prints what it would move, moves it on request, and then has nothing left to do', async () => {
    const { close } = await fillIn(`file:${path()}`);
    await close();
    const dry = await commandLine(folder).alone('rezone', '--to', 'Asia/Makassar');
    expect(dry.out).toContain('1 booking takes another instant, 1 of them still to come, from 2027-03-14');
    expect(dry.out).toContain('Nothing was written');
    const applied = await janji('--to', 'Asia/Makassar', '--apply');
    expect(applied).toMatchObject({ status: 0, errors: '' });
    expect(applied.out).toContain('Start the service with CLINIC_TIME_ZONE=Asia/Makassar');
    expect((await janji('--to', 'Asia/Makassar', '--apply')).out).toBe(
      'The database is in Asia/Makassar already.\n',
    );
    const after = await openDatabase(`file:${path()}`);
    await ensureClinic(after.db, 'Asia/Makassar');
    expect(await after.db.select({ at: bookings.startsAt }).from(bookings)).toEqual([{ at: inMakassar }]);
    await after.close();
    expect(findProblems(path())).toEqual([]);
  });

  it('ends with 1 where it may not, in one line or with the bookings that hinder it', async () => {
    expect(await janji('--to', 'Mars/Olympus')).toMatchObject({
      status: 1,
      errors: '--to takes an IANA zone such as Asia/Makassar, not Mars/Olympus.\n',
    });
    await commandLine(folder)('migrate');
    expect((await janji('--to', 'Asia/Makassar')).errors).toContain('no clinic yet');
    const { db, close } = await fillIn(`file:${path()}`);
    await db.update(bookings).set({ scheduleTime: '02:30:00' });
    await close();
    const hindered = await janji('--to', 'America/New_York', '--apply');
    expect(hindered.status).toBe(1);
    expect(hindered.out).toMatch(/2027-03-14 02:30:00 .*does not exist in America\/New_York/);
    expect(hindered.errors).toContain('move or cancel them');
  });

  it('moves a database behind the network though answers are lost', async () => {
    const left: Fault[] = [];
    const server = await serveHrana(path(), (text) =>
      text.includes('update \\"bookings\\"') ? (left.shift() ?? null) : null,
    );
    const { db, world } = await fillIn(server.url);
    left.push('lose the answer', 'refuse');
    const requested = { db, clock: createClinicTime('Asia/Makassar'), now: world.clock.now };
    await rezone(requested, { maxBookings: 10, moved: () => {} });
    server.close();
    expect([left.length, findProblems(path())]).toEqual([0, []]);
    const { db: file, close } = await openDatabase(`file:${path()}`);
    expect(await file.select({ at: bookings.startsAt }).from(bookings)).toEqual([{ at: inMakassar }]);
    expect(await file.select().from(bookingEvents)).toHaveLength(2);
    await close();
  });

  it('moves D1 by way of wrangler', async () => {
    const worker = newFolder();
    await makeD1(worker);
    const state = join(folder, 'd1');
    cpSync(join(worker, '.wrangler/state'), state, { recursive: true });
    // The same rows as on libSQL.
    const { close } = await fillIn(`file:${path()}`);
    await close();
    const tables = ['clinic', 'doctors', 'sessions', 'users', 'patients', 'bookings', 'booking_events'];
    const copies = tables.map((table) => `insert into ${table} select * from made.${table};`);
    change(fileOfD1(state), `attach '${path()}' as made; ${copies.join(' ')}`);
    // In a folder of a Worker whose own local D1 is not the one that is meant.
    rmSync(join(worker, '.wrangler'), { recursive: true });
    const move = ['rezone', '--to', 'Asia/Makassar', '--d1', '--persist-to', state, '--apply'];
    const applied = await commandLine(worker).alone(...move);
    expect(applied).toMatchObject({ status: 0, errors: '' });
    expect(applied.out).toContain('1 booking takes another instant');
    const d1 = openD1ByWrangler({ remote: false, persistTo: state });
    const [moved, clinics, events] = await d1.batch([
      d1.select({ at: bookings.startsAt, version: bookings.version }).from(bookings),
      d1.select().from(clinic),
      d1.select({ payload: bookingEvents.payload }).from(bookingEvents),
    ]);
    expect(moved).toEqual([{ at: inMakassar, version: 2 }]);
    expect(clinics).toMatchObject([{ timeZone: 'Asia/Makassar', rezoningTo: null }]);
    expect(JSON.parse(events[1]?.payload ?? '{}')).toMatchObject({
      version: 2,
      starts_at: '2027-03-14T01:00:00.000Z',
      ends_at: '2027-03-14T01:30:00.000Z',
    });
  });
});
