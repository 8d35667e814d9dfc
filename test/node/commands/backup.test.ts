import {
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { ClinicFile } from '../../support/faults/clinic-file.ts';
import { freePort, type Service, startService } from '../../support/faults/service.ts';
import { commandLine, newFolder } from '../../support/node/command-line.ts';
import {
  type Acknowledged,
  bookAndCancel,
  fillTheRest,
  histories,
  openClinic,
} from '../../support/node/lived-in.ts';
import { change, everything, rowsOf } from '../../support/node/rows.ts';

const acknowledged = (path: string): Set<string> =>
  new Set(rowsOf<Acknowledged>(path, 'select booking_id, version from booking_events').map(String));

/** Some turns of booking and canceling. */
const live = async (service: Service, clinic: ClinicFile): Promise<void> => {
  const load = bookAndCancel(service, clinic);
  while (load.acknowledged.length < 20) await sleep(10);
  await load.stop();
};

let made: { folder: string; clinic: ClinicFile };

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'janji-commands-'));
  const { clinic, service } = await openClinic(join(folder, 'janji.db'));
  await live(service, clinic);
  await service.stop();
  expect(await commandLine(folder).alone('backup', 'b.db')).toMatchObject({ status: 0 });
  made = { folder, clinic };
  return () => rmSync(folder, { recursive: true });
});

/** A folder with a database that nobody uses, and a backup of it. */
const backedUp = () => {
  const folder = newFolder();
  cpSync(made.folder, folder, { recursive: true });
  const path = join(folder, 'janji.db');
  return { folder, path, janji: commandLine(folder), backup: join(folder, 'b.db'), clinic: made.clinic };
};

describe('backup', () => {
  it('of a database under write load is sound, and holds every change acknowledged before it began', async () => {
    const folder = newFolder();
    const path = join(folder, 'janji.db');
    const { clinic, service } = await openClinic(path);
    onTestFinished(() => service.kill());
    const load = bookAndCancel(service, clinic);
    const janji = commandLine(folder);
    for (const name of ['1.db', '2.db', '3.db']) {
      const before = load.acknowledged.length;
      while (load.acknowledged.length < before + 30) await sleep(5);
      const beforeBackup = [...load.acknowledged];
      expect(await janji('backup', name)).toMatchObject({
        status: 0,
        out: expect.stringMatching(/^\d\.db: 9 accounts, \d+ patients, \d+ bookings/),
      });
      expect(load.acknowledged.length, 'nobody wrote meanwhile').toBeGreaterThan(beforeBackup.length);
      const held = acknowledged(join(folder, name));
      expect(beforeBackup.filter((each) => !held.has(String(each)))).toEqual([]);
      expect(await janji('verify', name)).toMatchObject({
        status: 0,
        out: expect.stringMatching(/^\d\.db is sound/),
      });
    }
    await load.stop();
    // The last changes of a running service are only in its write-ahead log.
    expect(await janji('backup', 'last.db')).toMatchObject({ status: 0 });
    const held = acknowledged(join(folder, 'last.db'));
    expect(load.acknowledged.filter((each) => !held.has(String(each)))).toEqual([]);
  });

  it('can be read only by its owner, overwrites nothing, and leaves no other file', async () => {
    const { folder, janji, backup } = backedUp();
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    expect(statSync(`${backup}.sha256`).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).sort()).toEqual(['b.db', 'b.db.sha256', 'janji.db']);
    const before = readFileSync(backup);
    expect(await janji('backup', 'b.db')).toEqual({
      status: 1,
      out: '',
      errors: `${backup} exists already and is not overwritten.\n`,
    });
    expect(readFileSync(backup).equals(before)).toBe(true);
  });

  it('of damaged data is stored, and says so by its exit code', async () => {
    const { janji, path } = backedUp();
    change(
      path,
      'update booking_events set version = 7 where sequence = (select max(sequence) from booking_events)',
    );
    const broken = await janji.alone('backup', 'broken.db');
    expect(broken).toMatchObject({
      status: 2,
      errors: expect.stringMatching(/broken: the events of a booking are its versions/),
    });
    expect(await janji.alone('verify', 'broken.db')).toMatchObject({ status: 1 });
    expect(await janji('restore', 'broken.db', '--force')).toMatchObject({
      status: 1,
      errors: expect.stringMatching(/not sound/),
    });
  });

  it('names the folder that is not there, and makes none: a disk may not be mounted', async () => {
    const { folder, janji } = backedUp();
    const refused = await janji('backup', 'unmounted/b.db');
    expect(refused).toMatchObject({
      status: 1,
      errors: `The folder ${join(folder, 'unmounted')} is not there.\n`,
    });
    expect(existsSync(join(folder, 'unmounted'))).toBe(false);
  });

  it('refuses a remote database and one that is not there', async () => {
    const folder = newFolder();
    const remote = await commandLine(folder, 'libsql://x.example')('backup', 'b.db');
    expect(remote).toEqual({
      status: 1,
      out: '',
      errors: 'DATABASE_URL is no file: export copies a remote database.\n',
    });
    expect(await commandLine(folder)('backup', 'b.db')).toMatchObject({
      status: 1,
      errors: expect.stringMatching(/is not there\.\n$/),
    });
    expect(readdirSync(folder)).toEqual([]);
  });
});

const damages: [what: string, damage: (path: string) => void, reason: RegExp][] = [
  ['cut short', (path) => truncateSync(path, statSync(path).size - 4096), /not sound:\nchanged/],
  [
    'one bit different',
    (path) => {
      const file = openSync(path, 'r+');
      const at = readFileSync(path).indexOf('81');
      writeSync(file, 'x', at);
      closeSync(file);
    },
    /not sound:\nchanged/,
  ],
];

describe('verify and restore', () => {
  it.each(damages)(
    'refuse a copy that is %s',
    async (_, damage, reason) => {
      const { janji, backup, path } = backedUp();
      damage(backup);
      const before = readFileSync(path);
      for (const command of ['verify', 'restore'])
        expect(await janji(command, 'b.db', ...(command === 'restore' ? ['--force'] : []))).toMatchObject({
          status: 1,
          out: '',
          errors: expect.stringMatching(reason),
        });
      expect(readFileSync(path).equals(before)).toBe(true);
    },
    300_000,
  );

  it('refuse one that is cut short, overwritten or no database, without a checksum too', async () => {
    const { janji, backup, folder } = backedUp();
    await rm(`${backup}.sha256`);
    const copy = join(folder, 'copy.db');
    const refused = async (errors: RegExp) => {
      expect(await janji('verify', 'copy.db')).toMatchObject({
        status: 1,
        out: '',
        errors: expect.stringMatching(errors),
      });
      expect(await janji('restore', 'copy.db', '--force')).toMatchObject({
        status: 1,
        out: '',
        errors: expect.stringMatching(errors),
      });
    };
    copyFileSync(backup, copy);
    expect(await janji('verify', 'copy.db')).toMatchObject({
      status: 0,
      out: expect.stringMatching(/no checksum beside it/),
    });
    truncateSync(copy, statSync(backup).size - 8192);
    await refused(/not sound:\ndamaged/);
    copyFileSync(backup, copy);
    const file = openSync(copy, 'r+');
    writeSync(file, Buffer.alloc(4096, 7), 0, 4096, 4096 * 20);
    closeSync(file);
    await refused(/not sound:\ndamaged/);
    writeFileSync(copy, 'tidak ada apa-apa di sini'.repeat(400));
    await refused(/not sound:\ndamaged/);
  });

  it('refuse another schema and one of a newer version', async () => {
    const { janji, folder, backup } = backedUp();
    const other = join(folder, 'other.db');
    copyFileSync(backup, other);
    change(other, "insert into __drizzle_migrations (hash, created_at) values ('next', 9e15)");
    expect(await janji('verify', 'other.db')).toMatchObject({
      status: 1,
      errors: expect.stringMatching(/newer version of the service/),
    });
    change(other, "update __drizzle_migrations set hash = 'another'");
    expect(await janji('restore', 'other.db', '--force')).toMatchObject({
      status: 1,
      errors: expect.stringMatching(/tables are not/),
    });
    change(other, 'drop table __drizzle_migrations');
    expect(await janji('import', 'other.db')).toMatchObject({ status: 1 });
    expect(await janji('verify', 'other.db')).toMatchObject({
      status: 1,
      errors: expect.stringMatching(/tables are not/),
    });
  });
});

describe('restore', () => {
  it('brings the service back with the same answers, and keeps what was there', async () => {
    const { folder, path, janji, clinic } = backedUp();
    const first = await startService(path, await freePort());
    const before = await histories(first, clinic);
    await live(first, clinic);
    // Killed: its log is still beside the file.
    await first.kill();
    const lost = everything(path);
    const done = await janji.alone('restore', 'b.db', '--force');
    expect(done).toMatchObject({ status: 0, out: expect.stringMatching(/patients, \d+ bookings/) });
    const second = await startService(path, await freePort());
    onTestFinished(() => second.kill());
    expect(await histories(second, clinic)).toEqual(before);
    const [, aside] = /kept as (.+)/.exec(done.errors) ?? [];
    expect(everything(aside ?? '')).toEqual(lost);
    expect(readdirSync(folder).filter((name) => /restoring|partial/.test(name))).toEqual([]);
  });

  it('refuses while a service has the database open, even an idle one, and where a database is', async () => {
    const { path, janji } = backedUp();
    expect(await janji('restore', 'b.db')).toMatchObject({
      status: 1,
      errors: expect.stringMatching(/exists: --force/),
    });
    const service = await startService(path, await freePort());
    onTestFinished(() => service.kill());
    const before = statSync(path).ino;
    expect(await janji.alone('restore', 'b.db', '--force')).toMatchObject({
      status: 1,
      errors: expect.stringMatching(/in use: stop/),
    });
    expect(statSync(path).ino).toBe(before);
    expect((await fetch(`${service.base}/ready`)).status).toBe(200);
    await service.stop();
    expect(await janji.alone('restore', 'b.db', '--force')).toMatchObject({ status: 0 });
  });

  it("lets no write-ahead log of another database play into the new one's place", async () => {
    const { folder, path, janji, backup, clinic } = backedUp();
    const service = await startService(path, await freePort());
    await live(service, clinic);
    await service.kill();
    await rm(path);
    expect(existsSync(`${path}-wal`)).toBe(true);
    expect(await janji('restore', 'b.db')).toMatchObject({
      status: 0,
      errors: expect.stringMatching(/kept as/),
    });
    expect(everything(path)).toEqual(everything(backup));
    expect(readdirSync(folder).filter((name) => /before-.*-wal$/.test(name))).toHaveLength(1);
  });

  it('killed at any moment, leaves the old database or the new one, and can be done again', async () => {
    const { path, janji, backup } = backedUp();
    const copy = everything(backup);
    change(
      path,
      "insert into sessions (id, name, version, created_at, updated_at) values ('only-here', 'x', 1, 1, 1)",
    );
    const old = everything(path);
    for (const ms of [200, 500, 900]) {
      const child = janji.spawn('restore', 'b.db', '--force');
      await sleep(ms);
      child.kill('SIGKILL');
      const now = everything(path);
      expect([JSON.stringify(old), JSON.stringify(copy)]).toContain(JSON.stringify(now));
    }
    while ((await janji('restore', 'b.db', '--force')).status !== 0);
    expect(everything(path)).toEqual(copy);
  });

  it('reports how many webhooks the present secret cannot sign for', async () => {
    const { path, janji, folder } = backedUp();
    fillTheRest(path);
    expect(await janji('backup', 'with-webhooks.db')).toMatchObject({ status: 0 });
    await rm(path);
    expect(await janji('restore', 'with-webhooks.db')).toMatchObject({
      status: 0,
      errors: /^1 webhooks cannot be signed/m,
    });
    expect(readdirSync(folder)).toContain('janji.db');
  });
});
