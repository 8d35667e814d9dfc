import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ensureClinic } from '../../../src/core/clinic/row.ts';
import { createHasher } from '../../../src/modules/auth/passwords/hasher.ts';
import { seedDemo } from '../../../src/modules/demo/demo.ts';
import { openDatabase } from '../../../src/runtime/node/database/database.ts';
import { commandLine, newFolder } from '../../support/node/command-line.ts';
import { rowsOf } from '../../support/node/rows.ts';

it('writes a file that only its owner can read, and a line into the audit trail; nothing is overwritten', async () => {
  const folder = newFolder();
  const path = join(folder, 'janji.db');
  const { db, close } = await openDatabase(`file:${path}`);
  await ensureClinic(db, 'Asia/Jakarta');
  await seedDemo(db, createHasher(), Date.now());
  await close();
  const settings = { DATA_KEY: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=' };
  const janji = (...args: string[]) =>
    commandLine(folder).with({ ...settings, JWT_SECRET: 'q7Zt0vE9mW2xLr8KpA5dHs3Yc6BnJf1U' }, ...args);
  expect(await janji('export-data', 'doctors', 'd.csv', '--format', 'excel')).toMatchObject({
    status: 0,
    out: expect.stringMatching(/^d\.csv: 3 doctors\./),
  });
  const file = join(folder, 'd.csv');
  const [head, ...lines] = readFileSync(file, 'utf8').split('\r\n');
  expect(head).toMatch(
    // New columns come last: some read by position.
    /^\ufeffid;name;title;specialty;active;version;created_at;updated_at;bpjs_doctor_code;ihs_id;external_id;metadata(;|$)/,
  );
  expect(lines).toHaveLength(4);
  expect(statSync(file).mode & 0o077).toBe(0);
  const piped = await janji('export-data', 'doctors', '-', '--format', 'excel');
  expect(piped).toMatchObject({ status: 0, errors: expect.stringMatching(/^3 doctors\./) });
  expect(piped.out).toBe(readFileSync(file, 'utf8'));
  expect((await janji('export-data', 'doctors', '-', '--json')).status).toBe(1);
  for (const other of [['export'], ['backup'], ['audit', 'export']])
    expect(await janji(...other, '-')).toMatchObject({
      status: 1,
      errors: expect.stringContaining('name a file'),
    });
  expect(existsSync(join(folder, '-'))).toBe(false);
  const since = ['--updated-since', '2099-01-01T00:00:00Z'];
  expect((await janji('export-data', 'doctors', 'none.ndjson', ...since)).out).toMatch(/: 0 doctors/);
  expect(rowsOf(path, "select detail from security_events where type = 'data_exported'").flat()).toEqual([
    '{"by":"command line","kind":"doctors","format":"excel"}',
    '{"by":"command line","kind":"doctors","format":"excel"}',
    '{"by":"command line","kind":"doctors","format":"ndjson","updated_since":"2099-01-01T00:00:00Z"}',
  ]);
  expect((await janji('export-data', 'doctors', 'named.CSV')).status).toBe(0);
  expect(readFileSync(join(folder, 'named.CSV'), 'utf8')).toMatch(/^(\ufeff)?id,name,title/);
  writeFileSync(file, 'mine');
  const refused = await janji('export-data', 'doctors', 'd.csv');
  expect([refused.status, readFileSync(file, 'utf8')]).toEqual([1, 'mine']);
  expect((await janji('export-data', 'doctors', 'e', '--updated-since', 'kemarin')).status).toBe(1);
});
