import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { statementGroups } from '../../../src/runtime/node/move/sql-file.ts';
import type { ClinicFile } from '../../support/faults/clinic-file.ts';
import { freePort, startService } from '../../support/faults/service.ts';
import { commandLine, fileOfD1, makeD1, newFolder } from '../../support/node/command-line.ts';
import { serveHrana } from '../../support/node/hrana-server.ts';
import { bookAndCancel, fillTheRest, histories, openClinic } from '../../support/node/lived-in.ts';
import { change, everything, rowsOf } from '../../support/node/rows.ts';

let made: { folder: string; clinic: ClinicFile; all: Record<string, unknown[][]> };

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'janji-move-'));
  const path = join(folder, 'janji.db');
  const { clinic, service } = await openClinic(path);
  const load = bookAndCancel(service, clinic);
  while (load.acknowledged.length < 20) await sleep(10);
  await load.stop();
  await service.stop();
  fillTheRest(path);
  const copied = await commandLine(folder)('export', 'a.db');
  expect(copied).toMatchObject({ status: 0, errors: expect.stringMatching(/Keep DATA_KEY/) });
  made = { folder, clinic, all: everything(path) };
  const empty = Object.keys(made.all).filter((table) => made.all[table]?.length === 0);
  expect(empty, 'every table has rows to move').toEqual([]);
  return () => rmSync(folder, { recursive: true });
});

/** A folder with an export of a database in which every table holds rows, hostile ones among them. */
const exported = () => {
  const folder = newFolder();
  cpSync(made.folder, folder, { recursive: true });
  return { ...made, folder, path: join(folder, 'janji.db'), janji: commandLine(folder) };
};

describe('export and import', () => {
  it('libSQL → D1 → libSQL keep every row of every table, and the counters', async () => {
    const { folder, janji, all, clinic, path } = exported();
    await makeD1(folder);
    const total = Object.entries(all)
      .filter(([table]) => table !== 'sqlite_sequence')
      .reduce((sum, [, rows]) => sum + rows.length, 0);
    const filled = await janji.alone('import', '--keep-id', '--d1', 'a.db');
    expect(filled).toMatchObject({ status: 0, out: `${total} rows imported and counted\n` });
    const again = await janji('import', '--d1', 'a.db');
    expect(again).toMatchObject({
      status: 1,
      out: '',
      errors: expect.stringMatching(/^The target is not empty \(.*bookings/),
    });
    expect(await janji.alone('export', '--d1', 'b.db')).toMatchObject({ status: 0 });
    expect(everything(join(folder, 'b.db'))).toEqual(all);
    const old = await startService(path, await freePort());
    const answers = await histories(old, clinic);
    await old.stop();
    const moved = commandLine(folder, `file:${join(folder, 'moved.db')}`);
    expect(await moved('import', '--keep-id', 'b.db')).toMatchObject({
      status: 0,
      out: `${total} rows imported and counted\n`,
    });
    expect(await moved('import', 'b.db')).toMatchObject({
      status: 1,
      errors: expect.stringContaining('import fills a new database'),
    });
    const service = await startService(join(folder, 'moved.db'), await freePort());
    onTestFinished(() => service.kill());
    expect(await histories(service, clinic)).toEqual(answers);
  });

  it('that lose a row on the way to D1, leave one that the service refuses', async () => {
    const { folder, janji } = exported();
    await makeD1(folder);
    const file = fileOfD1(join(folder, '.wrangler/state'));
    change(file, 'create trigger lose before insert on closures begin select raise(ignore); end');
    expect(await janji('import', '--d1', 'a.db')).toMatchObject({
      status: 1,
      out: '',
      errors: expect.stringMatching(/Not every row arrived: closures 0 of \d/),
    });
    expect(rowsOf(file, 'select time_zone from clinic')).toEqual([['(import unfinished)']]);
    expect(rowsOf(file, 'select count(*) > 0 from bookings')).toEqual([[1]]);
  });

  it('libSQL → remote libSQL → libSQL keep every row of every table', async () => {
    const { folder, all } = exported();
    const remote = join(folder, 'remote.db');
    const { url, close } = await serveHrana(remote, () => null);
    onTestFinished(() => void close());
    const janji = commandLine(folder, url);
    expect(await janji('import', '--keep-id', 'a.db')).toMatchObject({
      status: 0,
      out: expect.stringMatching(/^\d+ rows imported/),
    });
    expect(await janji('import', 'a.db')).toMatchObject({
      status: 1,
      errors: expect.stringMatching(/^The target is not empty/),
    });
    expect(await janji('export', 'b.db')).toMatchObject({ status: 0 });
    expect(everything(join(folder, 'b.db'))).toEqual(all);
  });

  it('refuse a D1 without tables, one of another version, and --remote alone', async () => {
    const { folder, janji } = exported();
    await makeD1(folder);
    expect(await janji('import', '--remote', 'a.db')).toMatchObject({
      status: 1,
      errors: '--remote and --persist-to go with --d1.\n',
    });
    change(
      fileOfD1(join(folder, '.wrangler/state')),
      "alter table clinic add column next text; insert into d1_migrations (name) values ('9999_next.sql')",
    );
    const refused = { status: 1, out: '', errors: expect.stringMatching(/newer version/) };
    expect(await janji('import', '--d1', 'a.db')).toMatchObject(refused);
    expect(await janji('export', '--d1', 'b.db')).toMatchObject(refused);
    rmSync(join(folder, '.wrangler'), { recursive: true });
    expect(await janji('import', '--d1', 'a.db')).toMatchObject({
      status: 1,
      errors: expect.stringMatching(/no tables yet: npx wrangler d1 migrations apply DB --local/),
    });
    expect(readdirSync(folder).filter((name) => /^b\.db/.test(name))).toEqual([]);
  });

  it('cut short on the way to a remote database, leave one that the service refuses', async () => {
    const { folder } = exported();
    const remote = join(folder, 'remote.db');
    const { url, close } = await serveHrana(remote, (text) =>
      /insert into \\"bookings\\"/.test(text) ? 'refuse' : null,
    );
    onTestFinished(() => void close());
    const janji = commandLine(folder, url);
    expect(await janji('import', 'a.db')).toMatchObject({ status: 1, out: '' });
    expect(rowsOf(remote, 'select count(*) > 0, (select count(*) from bookings) from patients')).toEqual([
      [1, 0],
    ]);
    await expect(startService(remote, await freePort())).rejects.toThrow('(import unfinished)');
    expect(await janji('import', 'a.db')).toMatchObject({
      status: 1,
      errors: expect.stringMatching(/^The target is not empty/),
    });
  });

  it('refuse a remote source that is written to meanwhile', async () => {
    const { folder } = exported();
    const remote = join(folder, 'remote.db');
    let reads = 0;
    const { url, close } = await serveHrana(remote, (text) => {
      if (/from \\"bookings\\" where rowid/.test(text) && reads++ === 0)
        change(remote, "insert into security_events (write_id, type, occurred_at) values ('w', 't', 1)");
      return null;
    });
    onTestFinished(() => void close());
    const janji = commandLine(folder, url);
    expect(await janji('import', 'a.db')).toMatchObject({ status: 0 });
    expect(await janji('export', 'b.db')).toMatchObject({
      status: 1,
      errors: 'The source was written to meanwhile: stop its service, and begin anew.\n',
    });
    expect(readdirSync(folder).filter((name) => /^b\.db/.test(name))).toEqual([]);
  });
});

it('cuts a dump only where a statement ends, whatever its strings contain', async () => {
  const row = `INSERT INTO "users" VALUES('a;\nb''c;\n','${'x'.repeat(700_000)}');\n`;
  async function* chunks() {
    for (const each of [row, row, row])
      for (let at = 0; at < each.length; at += 65_537) yield each.slice(at, at + 65_537);
  }
  const groups: string[] = [];
  for await (const group of statementGroups(chunks())) groups.push(group);
  expect(groups.join('')).toBe(row.repeat(3));
  expect(groups.slice(0, -1).map((group) => group.length % row.length)).toEqual([0]);
});
