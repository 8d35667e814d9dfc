import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'libsql';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { problemsOf } from '../../src/node/invariants.ts';
import { type ClinicFile, fillClinicFile } from './support/clinic-file.ts';
import { freePort, type Service, startService } from './support/service.ts';

let path: string;
let clinic: ClinicFile;

beforeEach(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'janji-stressed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  path = join(folder, 'janji.db');
  clinic = await fillClinicFile(path, 3);
});

const start = async (fileSizeKib?: number): Promise<Service> => {
  const service = await startService(path, await freePort(), {}, fileSizeKib);
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

it('on a full disk refuses writes for now, goes on reading, and writes again by itself once there is room', async () => {
  // The limit on a file's size is what the kernel says of a full disk, as far as a write can tell.
  const kib = Math.ceil(statSync(path).size / 1024) + 24;
  const service = await start(kib);
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
  expect(problemsOf(path)).toEqual([]);
});

it('whose file is gone refuses for now, acknowledges nothing, and goes on when the file is back', async () => {
  const service = await start();
  expect((await book(service, 0)).status).toBe(201);
  for (const end of ['', '-wal', '-shm']) renameSync(path + end, `${path}.away${end}`);
  expect(await book(service, 1)).toMatchObject(refused);
  expect((await ask(service, '/ready')).status).toBe(503);
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
