import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'libsql';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { isEncrypted } from '../../src/runtime/node/database/file-key.ts';
import { findProblems } from '../../src/runtime/node/database/invariants.ts';
import { type ClinicFile, fillClinicFile } from '../support/faults/clinic-file.ts';
import { freePort, obeyingModes, onFullDisk, type Service, startService } from '../support/faults/service.ts';
import { commandArguments } from '../support/node/entries.ts';

let path: string;
let clinic: ClinicFile;

beforeEach(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'janji-stressed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  path = join(folder, 'janji.db');
  clinic = await fillClinicFile(path, 3);
});

const start = async (within = obeyingModes, settings: Record<string, string> = {}): Promise<Service> => {
  const service = await startService(path, await freePort(), settings, within);
  onTestFinished(() => void service.child.kill('SIGKILL'));
  return service;
};

const ask = async (service: Service, route: string, token?: string, body?: object) => {
  const headers = {
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    'Content-Type': 'application/json',
  };
  const response = await fetch(`${service.base}${route}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, retryAfter: response.headers.get('Retry-After'), text };
};

const book = (service: Service, at: number) =>
  ask(service, '/v1/bookings', clinic.patients[at]?.token, { ...clinic.slots[at], notes: 'x'.repeat(900) });
const history = (service: Service, at: number) =>
  ask(service, '/v1/bookings/history', clinic.patients[at]?.token);

const refused = { status: 503, retryAfter: '1' };

it('on a full disk refuses writes for now, goes on reading, and writes again by itself once there is space', async () => {
  const service = await start(onFullDisk(Math.ceil(statSync(path).size / 1024) + 24));
  let full: Awaited<ReturnType<typeof book>> | undefined;
  for (let tries = 0; tries < 200 && full === undefined; tries++) {
    const { token } = clinic.patients[0] as { token: string };
    const made = await ask(service, '/v1/bookings', token, { ...clinic.slots[0], notes: 'x'.repeat(900) });
    if (made.status === 503) full = made;
    else {
      const { id } = JSON.parse(made.text).data;
      const canceled = await ask(service, `/v1/bookings/${id}/cancel`, token, {});
      if (canceled.status === 503) full = canceled;
    }
  }
  expect(full).toMatchObject(refused);
  expect((await history(service, 0)).status).toBe(200);
  expect((await ask(service, '/health')).status).toBe(200);
  const room = spawnSync('prlimit', ['--pid', String(service.child.pid), '--fsize=unlimited']);
  expect(room.status).toBe(0);
  expect((await book(service, 1)).status).toBe(201);
  expect(findProblems(path)).toEqual([]);
});

it('on a full disk a sandbox that is to be encrypted, of an older version, is not taken for a damaged one', () => {
  const sandbox = path.replace('.db', '-sandbox.db');
  copyFileSync(path, sandbox);
  const database = new Database(sandbox);
  database.exec(
    'delete from __drizzle_migrations where created_at = (select max(created_at) from __drizzle_migrations)',
  );
  database.close();
  const [program, ...args] = onFullDisk(Math.ceil(statSync(path).size / 2048))([
    process.execPath,
    ...commandArguments,
    'encrypt',
  ]);
  const DATABASE_KEY = Buffer.alloc(32, 'a file key').toString('base64');
  const env = { ...process.env, DATABASE_URL: `file:${path}`, DATABASE_KEY };
  const { status, stderr } = spawnSync(program, args, { env, encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, expect.stringMatching(/sandbox\.db could not be copied: disk/)]);
  expect(readdirSync(dirname(path)).filter((name) => name.includes('.before-'))).toEqual([]);
  for (const file of [path, sandbox]) expect(isEncrypted(file)).toBe(false);
});

it('whose file is gone refuses for now, acknowledges nothing, and goes on when the file is back', async () => {
  const service = await start(obeyingModes, { LOG_LEVEL: 'warn' });
  expect((await book(service, 0)).status).toBe(201);
  for (const end of ['', '-wal', '-shm']) renameSync(path + end, `${path}.away${end}`);
  expect((await ask(service, '/ready')).status).toBe(503);
  expect(await history(service, 0)).toMatchObject(refused);
  expect(await book(service, 1)).toMatchObject(refused);
  expect((await ask(service, '/health')).status).toBe(200);
  expect(service.errors()).toContain(`the database file ${path} is gone`);
  for (const end of ['', '-wal', '-shm']) renameSync(`${path}.away${end}`, path + end);
  expect((await book(service, 1)).status).toBe(201);
  expect((await history(service, 0)).text).toContain('waiting');
});

it('that another process locks waits a little, refuses for now, goes on reading, and recovers', async () => {
  const service = await start();
  const other = new Database(path, { timeout: 5000 });
  onTestFinished(() => void other.close());
  other.exec('BEGIN IMMEDIATE');
  const late = book(service, 0);
  const reads: number[] = [];
  for (let n = 0; n < 10; n++) {
    reads.push((await history(service, 1)).status);
    await sleep(20);
  }
  expect(new Set(reads)).toEqual(new Set([200]));
  expect(await late).toMatchObject(refused);
  other.exec('ROLLBACK');
  expect((await book(service, 0)).status).toBe(201);
});

const ends = ['', '-wal', '-shm'];
const setModes = (file: number, folder: number) => {
  for (const end of ends) if (existsSync(path + end)) chmodSync(path + end, file);
  chmodSync(dirname(path), folder);
};
const allowAll = () => setModes(0o600, 0o700);

// The driver lets go of a file when its statements are collected, and here they never are.
const hardlyCollecting: typeof obeyingModes = ([node, ...options]) =>
  obeyingModes([node, '--min-semi-space-size=256', '--max-semi-space-size=256', ...options]);

it.each([
  ['itself', 0o400, 0o700],
  ['and its folder', 0o400, 0o500],
])(
  'whose file %s may only be read from now on refuses writes, goes on reading, and writes again by itself',
  async (_what, file, folder) => {
    const service = await start(hardlyCollecting);
    const other = new Database(path, { timeout: 5000 });
    onTestFinished(() => void other.close());
    // Open connections stay writable, so a lock makes it reopen the file.
    other.exec('BEGIN IMMEDIATE');
    setModes(file, folder);
    expect(await book(service, 0)).toMatchObject(refused);
    other.exec("ROLLBACK; UPDATE doctors SET name = 'Ditulis Proses Lain'");
    expect((await ask(service, '/v1/doctors')).text).toContain('Ditulis Proses Lain');
    for (let times = 0; times < 2; times++) {
      expect(await book(service, 0)).toMatchObject(refused);
      expect(await history(service, 0)).toMatchObject({ status: 200 });
      expect((await ask(service, '/v1/doctors')).status).toBe(200);
    }
    allowAll();
    let over = false;
    const readOnAndOn = async (): Promise<number[]> => {
      const seen: number[] = [];
      while (!over) seen.push((await history(service, 1)).status);
      return seen;
    };
    const reading = readOnAndOn();
    const booked = await book(service, 0);
    over = true;
    expect(booked.status).toBe(201);
    expect(new Set(await reading)).toEqual(new Set([200]));
    expect((await history(service, 0)).text).toContain('waiting');
    expect(findProblems(path)).toEqual([]);
    expect(await service.stop()).toBe(0);
  },
);

it('in a folder that may only be read from now on goes on writing, also over a lock', async () => {
  const service = await start();
  const other = new Database(path, { timeout: 5000 });
  onTestFinished(() => void other.close());
  setModes(0o600, 0o500);
  expect((await book(service, 0)).status).toBe(201);
  other.exec('BEGIN IMMEDIATE');
  const late = book(service, 1);
  await sleep(100);
  other.exec('ROLLBACK');
  expect((await late).status).toBe(201);
  expect(await service.stop()).toBe(0);
  allowAll();
  expect(findProblems(path)).toEqual([]);
});

describe('the start', () => {
  const failure = async (): Promise<string> => {
    try {
      await (await start()).stop();
      return '';
    } catch (error) {
      return String(error);
    }
  };

  it.each([
    ['the file', 0o400, 0o700, () => path],
    ['the folder', 0o600, 0o500, () => dirname(path)],
    ['both', 0o400, 0o500, () => `${path} and ${dirname(path)}`],
  ])('where %s may only be read is refused in one line that says so', async (_what, file, folder, named) => {
    const database = new Database(path, {});
    database.pragma('wal_checkpoint(TRUNCATE)');
    database.close();
    for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true });
    setModes(file, folder);
    expect(await failure()).toBe(
      `Error: The service did not start: DATABASE_URL cannot be written: ${named()} may only be read.\n`,
    );
    allowAll();
    expect(await failure()).toBe('');
  });

  it.each([
    ['rubbish', () => writeFileSync(path, 'rubbish'.repeat(2000))],
    [
      'a damaged schema',
      () => writeFileSync(path, Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(8176, 0xff)])),
    ],
  ])('on %s is refused in one line, and the file is left as it was', async (_what, spoil) => {
    for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true });
    spoil();
    copyFileSync(path, `${path}.before`);
    const said = await failure();
    expect(said).toContain('cannot start');
    expect(said.trim().split('\n')).toHaveLength(1);
    expect(statSync(path).size).toBe(statSync(`${path}.before`).size);
  });
});
