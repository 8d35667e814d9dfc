import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { clinic } from '../../src/booking/catalog/tables.ts';
import { bookingEvents } from '../../src/booking/events/tables.ts';
import { rezone } from '../../src/booking/rezone/rezone.ts';
import { bookings } from '../../src/booking/tables.ts';
import { ensureClinic } from '../../src/clinic-row.ts';
import { createClinicTime } from '../../src/clinic-time.ts';
import { openD1ByWrangler } from '../../src/node/commands/d1-database.ts';
import { executeOnD1, insertText } from '../../src/node/commands/d1-file.ts';
import { openDatabase } from '../../src/node/database.ts';
import { problemsOf } from '../../src/node/invariants.ts';
import { createPractice, wish } from '../support/clinic.ts';
import { createPerson } from '../support/people.ts';
import { createWorld } from '../support/world.ts';
import { type Fault, serveHrana } from './support/hrana-server.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'janji-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const path = () => join(folder, 'janji.db');
const janji = (...args: string[]) =>
  spawnSync(process.execPath, ['src/cli.ts', 'rezone', ...args], {
    encoding: 'utf8',
    env: { ...process.env, DATABASE_URL: `file:${path()}` },
    timeout: 60_000,
  });

/** A clinic in Jakarta with one booking, at 09:00, in the database behind the URL. */
const fillIn = async (url: string) => {
  const { db, close } = await openDatabase(url);
  await ensureClinic(db, 'Asia/Jakarta');
  const world = await createWorld({ MAX_ADVANCE_DAYS: '365' });
  world.db = world.deps.db = db;
  const practice = await createPractice(world);
  const { token } = await createPerson(world);
  const body = wish(practice, { schedule_date: '2027-03-14' });
  expect((await world.request('/v1/bookings', { token, body })).status).toBe(201);
  return { db, close, world };
};

const inMakassar = Date.parse('2027-03-14T01:00:00Z');

describe('rezone', () => {
  it('prints what it would move, moves it when told to, and then has nothing left to do', async () => {
    const { close } = await fillIn(`file:${path()}`);
    await close();
    const dry = janji('--to', 'Asia/Makassar');
    expect(dry.stdout).toContain('1 bookings take another instant, 1 of them still to come, from 2027-03-14');
    expect(dry.stdout).toContain('Nothing was written');
    const applied = janji('--to', 'Asia/Makassar', '--apply');
    expect(applied).toMatchObject({ status: 0, stderr: '' });
    expect(applied.stdout).toContain('Start the service with CLINIC_TIME_ZONE=Asia/Makassar');
    expect(janji('--to', 'Asia/Makassar', '--apply').stdout).toBe(
      'The database is in Asia/Makassar already.\n',
    );
    const after = await openDatabase(`file:${path()}`);
    await ensureClinic(after.db, 'Asia/Makassar');
    expect(await after.db.select({ at: bookings.startsAt }).from(bookings)).toEqual([{ at: inMakassar }]);
    await after.close();
    expect(problemsOf(path())).toEqual([]);
  }, 60_000);

  it('ends with 1 where it may not, in one line or with the bookings that hinder it', async () => {
    expect(janji('--to', 'Mars/Olympus')).toMatchObject({
      status: 1,
      stderr: '--to takes an IANA zone such as Asia/Makassar, not Mars/Olympus.\n',
    });
    expect(janji('--to', 'Asia/Makassar').stderr).toContain('no clinic yet');
    const { db, close } = await fillIn(`file:${path()}`);
    await db.update(bookings).set({ scheduleTime: '02:30:00' });
    await close();
    const hindered = janji('--to', 'America/New_York', '--apply');
    expect(hindered.status).toBe(1);
    expect(hindered.stdout).toMatch(/2027-03-14 02:30:00 .*does not exist in America\/New_York/);
    expect(hindered.stderr).toContain('move or cancel them');
  }, 60_000);

  it('moves a database behind the network though answers are lost', async () => {
    const left: Fault[] = [];
    const server = await serveHrana(path(), (text) =>
      text.includes('update \\"bookings\\"') ? (left.shift() ?? null) : null,
    );
    const { db, world } = await fillIn(server.url);
    left.push('lose the answer', 'refuse');
    const wished = { db, clock: createClinicTime('Asia/Makassar'), now: world.clock.now };
    await rezone(wished, { mostBookings: 10, moved: () => {} });
    server.close();
    expect([left.length, problemsOf(path())]).toEqual([0, []]);
    const { db: file, close } = await openDatabase(`file:${path()}`);
    expect(await file.select({ at: bookings.startsAt }).from(bookings)).toEqual([{ at: inMakassar }]);
    expect(await file.select().from(bookingEvents)).toHaveLength(2);
    await close();
  });

  it('moves D1 by way of wrangler', async () => {
    const place = ['--local', '--persist-to', folder];
    const migrated = spawnSync('wrangler', ['d1', 'migrations', 'apply', 'DB', ...place], {
      env: { ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false' },
    });
    expect(migrated.status).toBe(0);
    // The same rows as on libSQL, carried over as text.
    const { close } = await fillIn(`file:${path()}`);
    await close();
    const file = new DatabaseSync(path());
    const tables = ['clinic', 'doctors', 'sessions', 'users', 'bookings', 'booking_events'];
    const rows = tables.flatMap((table) =>
      file
        .prepare(`select * from ${table}`)
        .all()
        .map((row) => insertText(table, row as Record<string, string | number | null>)),
    );
    file.close();
    executeOnD1(rows, { remote: false, persistTo: folder });
    expect(janji('--to', 'Asia/Makassar', '--d1', '--persist-to', folder).stdout).toContain(
      '1 bookings take another instant',
    );
    const applied = janji('--to', 'Asia/Makassar', '--d1', '--persist-to', folder, '--apply');
    expect(applied).toMatchObject({ status: 0, stderr: '' });
    const d1 = openD1ByWrangler({ remote: false, persistTo: folder });
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
  }, 120_000);
});
