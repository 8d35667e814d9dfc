import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@libsql/client';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ClinicMismatch, ensureClinic } from '../../../src/core/clinic/row.ts';
import { openEmbedded } from '../../../src/core/db/embedded/client.ts';
import { openDatabase } from '../../../src/runtime/node/database/database.ts';
import { copyRows } from '../../../src/runtime/node/move/copy-rows.ts';
import { lastLines, writeRows } from '../../../src/runtime/node/move/d1.ts';
import { exportCopy } from '../../../src/runtime/node/move/export.ts';
import { importCopy } from '../../../src/runtime/node/move/import.ts';
import { readColumns } from '../../../src/runtime/node/move/layout.ts';
import { fillClinicFile } from '../../support/faults/clinic-file.ts';
import { change, everything, newFolder, rowsOf } from '../../support/node/command-line.ts';
import { serveHrana } from '../../support/node/hrana-server.ts';
import { fillTheRest } from '../../support/node/lived-in.ts';

const quiet = () => {};
const zone = 'Asia/Jakarta';
let folder: string;
let source: string;

beforeEach(async () => {
  folder = newFolder();
  source = join(folder, 'source.db');
  await fillClinicFile(source, 3);
  fillTheRest(source);
});

const open = (path: string): Client => {
  const client = openEmbedded({ path });
  onTestFinished(() => client.close());
  return client;
};
const newTarget = async (name = 'target.db'): Promise<string> => {
  const path = join(folder, name);
  await (await openDatabase(`file:${path}`)).close();
  return path;
};

/** A client whose batches or reads a test may do something to. */
const meddled = (client: Client, own: Partial<Client>): Client =>
  new Proxy(client, { get: (from, name) => own[name as keyof Client] ?? Reflect.get(from, name) });

/** Whether a service of the source's zone would start on it. */
const serves = async (path: string): Promise<boolean> => {
  const { db, close } = await openDatabase(`file:${path}`);
  try {
    await ensureClinic(db, zone);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(ClinicMismatch);
    return false;
  } finally {
    await close();
  }
};

describe('a copy of all rows', () => {
  it('has every row and every counter, of numbers that were given and taken back too', async () => {
    const target = await newTarget();
    await copyRows(open(source), open(target), quiet);
    expect(everything(target)).toEqual(everything(source));
    expect(rowsOf(target, "select seq from sqlite_sequence where name = 'consents'")).toEqual([[900]]);
    expect(await serves(target)).toBe(true);
  });

  it('has no clinic where the source never served', async () => {
    change(source, 'delete from clinic');
    const target = await newTarget();
    await copyRows(open(source), open(target), quiet);
    expect(everything(target)).toEqual(everything(source));
  });

  it('broken off before any of its steps, leaves a database that no service starts on', async () => {
    let steps = 1;
    for (let at = 0; at < steps; at++) {
      const target = await newTarget(`target-${at}.db`);
      const client = open(target);
      let step = 0;
      const cut = meddled(client, {
        batch: async (...given) => {
          if (step++ === at) throw new Error('cut');
          return client.batch(...given);
        },
      });
      await expect(copyRows(open(source), cut, quiet)).rejects.toThrow('cut');
      expect(await serves(target)).toBe(false);
      if (at === 0) {
        const tables = Object.values(everything(source)).filter((rows) => rows.length > 0);
        steps = tables.length - 1;
      }
    }
    expect(steps).toBeGreaterThan(10);
  });

  it('goes into no database that holds anything, and leaves that as it was', async () => {
    const target = await newTarget();
    change(target, "insert into throttles values ('k', 1, 2, 3)");
    const before = everything(target);
    await expect(copyRows(open(source), open(target), quiet)).rejects.toThrow(
      'The target is not empty (throttles)',
    );
    expect(everything(target)).toEqual(before);
  });

  it.each([
    ['by a row', "insert into throttles values ('new', 1, 2, 3)"],
    [
      'by a row that came and went',
      `insert into consents (write_id, user_id, kind, version, recorded_at)
         select 'w', min(id), 'given', '', 1 from users;
       delete from consents where write_id = 'w'`,
    ],
    [
      'by a line of the audit trail, while the oldest was swept',
      `insert into security_events (write_id, type, occurred_at) values ('w', 't', 1);
       delete from security_events where sequence = (select min(sequence) from security_events)`,
    ],
  ])('notices that its source was written to meanwhile, %s', async (_how, sql) => {
    const target = await newTarget();
    const client = open(source);
    let reads = 0;
    const written = meddled(client, {
      execute: async (...given: [never]) => {
        const rows = await client.execute(...given);
        if (JSON.stringify(given).includes('where rowid') && reads++ === 0) change(source, sql);
        return rows;
      },
    });
    await expect(copyRows(written, open(target), quiet)).rejects.toThrow('was written to meanwhile');
    expect(await serves(target)).toBe(false);
  });

  it('counts what arrived, and is none that a service starts on if a row did not', async () => {
    const target = await newTarget();
    const client = open(target);
    const lossy = meddled(client, {
      batch: async (statements, mode) => {
        const isTheirs = JSON.stringify(statements[0]).includes('into \\"closures\\"');
        return client.batch(isTheirs ? statements.slice(1) : statements, mode);
      },
    });
    await expect(copyRows(open(source), lossy, quiet)).rejects.toThrow(
      'Not every row arrived: closures 0 of 1.',
    );
    expect(await serves(target)).toBe(false);
  });
});

it('written for D1, is a whole database once its last statement ran, and one that does not serve before', async () => {
  const file = join(folder, 'rows.sql');
  const client = open(source);
  const columns = await readColumns(client);
  await writeRows(client, columns, file, quiet);
  const rows = readFileSync(file, 'utf8');
  const last = await lastLines(client, columns);
  const target = await newTarget();
  change(target, rows + last.join('\n'));
  expect(everything(target)).toEqual(everything(source));
  expect(await serves(target)).toBe(true);
  const cuts = [
    rows.slice(0, rows.indexOf('\n')),
    rows,
    ...last.map((_, at) => rows + last.slice(0, at).join('\n')),
  ];
  for (const [at, lines] of cuts.entries()) {
    const cut = await newTarget(`cut-${at}.db`);
    change(cut, lines);
    expect(await serves(cut)).toBe(false);
  }
  expect(last.length).toBeGreaterThan(1);
});

describe('import', () => {
  it('refuses a copy that was changed since it was made, before it writes anything', async () => {
    const copy = join(folder, 'copy.db');
    await exportCopy(copy, null, { DATABASE_URL: `file:${source}` }, quiet);
    const remote = join(folder, 'remote.db');
    const { url, close } = await serveHrana(remote, () => null);
    onTestFinished(() => void close());
    const environment = { DATABASE_URL: url, DATABASE_AUTH_TOKEN: 'x' };
    const whole = join(folder, 'whole.db');
    for (const end of ['', '.sha256']) copyFileSync(copy + end, whole + end);
    change(copy, "update closures set name = 'another'");
    await expect(importCopy(copy, null, environment, quiet)).rejects.toThrow('changed: it is not the file');
    expect(existsSync(remote)).toBe(false);
    await importCopy(whole, null, environment, quiet, true);
    expect(everything(remote)).toEqual(everything(source));
  });
});
