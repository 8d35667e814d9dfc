import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHasher } from '../../src/auth/passwords/hasher.ts';
import { users } from '../../src/auth/tables.ts';
import { closures } from '../../src/booking/catalog/tables.ts';
import { openDatabase } from '../../src/node/database.ts';

const given = 'kata-sandi-uji-17';
let folder = '';
const url = () => `file:${join(folder, 'janji.db')}`;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'janji-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const janji = (args: string[], input = '') =>
  spawnSync(process.execPath, ['src/cli.ts', ...args], {
    encoding: 'utf8',
    input,
    env: { ...process.env, DATABASE_URL: url(), JANJI_ADMIN_PASSWORD: '' },
    timeout: 20_000,
  });

describe('create-admin', () => {
  const wanted = ['create-admin', '--email', 'Kepala@Klinik.example', '--name', 'Kepala'];

  it('writes an admin who logs in with the password from standard input', async () => {
    expect(janji(wanted, `${given}\n`)).toMatchObject({
      status: 0,
      stdout: 'kepala@klinik.example is an admin now.\n',
    });
    const { db, close } = await openDatabase(url());
    const [admin] = await db.select().from(users);
    await close();
    expect(admin).toMatchObject({ role: 'admin', email: 'kepala@klinik.example' });
    expect(await createHasher().verify(admin?.passwordHash ?? '', given)).toBe(true);
    const again = janji(wanted, given);
    expect(again).toMatchObject({ status: 1, stderr: 'This e-mail is already registered.\n' });
  }, 60_000);

  it('refuses a weak password and a wrong e-mail in one line, and never echoes the password', () => {
    expect(janji(wanted, 'password').stderr).toBe('This password is common.\n');
    expect(janji(['create-admin', '--email', 'x', '--name', 'X'], given).stderr).toBe(
      '--email cannot be accepted.\n',
    );
  }, 60_000);
});

describe('holidays', () => {
  it('prints what it would add, adds it when told to, and nothing twice', async () => {
    const year = ['holidays', '--year', '2027'];
    expect(janji(year).stdout).toMatch(/^2027-01-01 .*\n(.*\n)+\d+ to add\. Nothing was written/);
    const applied = janji([...year, '--apply']);
    expect(applied.stdout).toMatch(/\d+ added/);
    const count = Number(/(\d+) added/.exec(applied.stdout)?.[1]);
    expect(count).toBeGreaterThan(10);
    expect(janji([...year, '--apply']).stdout).toContain('\n0 added');
    const { db, close } = await openDatabase(url());
    const rows = await db.select().from(closures);
    await close();
    expect(rows).toHaveLength(count);
    expect(rows.find(({ startDate }) => startDate === '2027-08-17')).toMatchObject({
      doctorId: null,
      startTime: null,
    });
  }, 60_000);
});
