import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ensureClinic, toClinicIdentity } from '../../../src/core/clinic/row.ts';
import { clinicKeys } from '../../../src/core/crypto/clinic-keys.ts';
import { createSecretBox } from '../../../src/core/crypto/sealing.ts';
import { parsePhc } from '../../../src/modules/auth/passwords/phc.ts';
import { restore } from '../../../src/runtime/node/backup/restore.ts';
import { countUnsignable } from '../../../src/runtime/node/checks/sealed-secrets.ts';
import { openDatabase } from '../../../src/runtime/node/database/database.ts';
import { knownMigrations } from '../../../src/runtime/node/database/migrations.ts';
import { exportCopy } from '../../../src/runtime/node/move/export.ts';
import { importCopy } from '../../../src/runtime/node/move/import.ts';
import { serveHrana } from '../../support/node/hrana-server.ts';
import { change, everything, rowsOf } from '../../support/node/rows.ts';

const secret = 'a-secret-that-is-used-by-tests-only-0123456789';
const dataKey = Buffer.alloc(32, 'a data key').toString('base64url');
const quiet = () => {};
let folder = '';
let source = '';

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'janji-clinic-'));
  source = join(folder, 'source.db');
  const { db, close } = await openDatabase(`file:${source}`);
  const identity = toClinicIdentity(await ensureClinic(db, 'Asia/Jakarta'), 0);
  const box = await createSecretBox(await clinicKeys(identity, { secret, dataKey }));
  await close();
  change(
    source,
    `insert into webhook_endpoints (id, url, description, event_types, secret, last_sequence, failures, created_at, updated_at)
     values ('e', 'https://x.example', '', '[]', '${await box.seal('whsec_x')}', 0, 0, 1, 1)`,
  );
});
afterEach(() => rmSync(folder, { recursive: true }));

const identityIn = (path: string) => rowsOf(path, 'select clinic_id, legacy_keys_until from clinic')[0];

/** Whether webhooks of the database can be signed with the source's secret. */
const signs = async (path: string, settings: Record<string, string> = {}): Promise<boolean> =>
  (await countUnsignable(path, { JWT_SECRET: secret, DATA_KEY: dataKey, ...settings })) === 0;

const restored = async (name: string, asNew: boolean): Promise<string> => {
  const copy = join(folder, `${name}.copy`);
  await exportCopy(copy, null, { DATABASE_URL: `file:${source}` }, quiet);
  const target = join(folder, name);
  await restore(copy, target, { force: false, asNew, now: Date.now(), progress: quiet });
  return target;
};

describe('restore', () => {
  it('keeps the clinic, and with --as-new makes another one of the same rows', async () => {
    const same = await restored('same.db', false);
    expect(everything(same)).toEqual(everything(source));
    expect(await signs(same)).toBe(true);
    const other = await restored('other.db', true);
    const [id, until] = identityIn(other) ?? [];
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect([id === identityIn(source)?.[0], until]).toEqual([false, null]);
    expect(await signs(other)).toBe(false);
    const rest = ({ clinic: _, ...tables }: Record<string, unknown[][]>) => tables;
    expect(rest(everything(other))).toEqual(rest(everything(source)));
    for (const end of ['-wal', '-shm', '.restoring', '.restoring-wal'])
      expect(existsSync(other + end)).toBe(false);
  });

  it('--as-new ends the keys of before clinics had ids as well', async () => {
    change(source, 'update clinic set legacy_keys_until = 9007199254740991');
    expect(identityIn(await restored('same.db', false))?.[1]).toBe(9007199254740991);
    expect(identityIn(await restored('other.db', true))?.[1]).toBeNull();
  });

  it('gives each its own id, and the setting wins over it', async () => {
    const one = await restored('one.db', true);
    const two = await restored('two.db', true);
    expect(identityIn(one)?.[0]).not.toBe(identityIn(two)?.[0]);
    const id = String(identityIn(source)?.[0]);
    expect([await signs(one), await signs(one, { CLINIC_ID: id })]).toEqual([false, true]);
    expect(await signs(source, { CLINIC_ID: 'klinik-lain' })).toBe(false);
  });
});

describe('import', () => {
  it.each([
    ['an embedded file', async (path: string) => `file:${path}`],
    [
      'a remote database',
      async (path: string) => {
        const { url, close } = await serveHrana(path, () => null);
        onTestFinished(() => void close());
        return url;
      },
    ],
  ])('into %s makes another clinic, and with --keep-id moves this one', async (_name, urlOf) => {
    const copy = join(folder, 'copy.db');
    await exportCopy(copy, null, { DATABASE_URL: `file:${source}` }, quiet);
    for (const keepId of [false, true]) {
      const target = join(folder, `target-${keepId}.db`);
      const environment = { DATABASE_URL: await urlOf(target), DATABASE_AUTH_TOKEN: 'x' };
      await importCopy(copy, null, environment, quiet, keepId);
      expect(identityIn(target)?.[0] === identityIn(source)?.[0]).toBe(keepId);
      expect(identityIn(target)?.[0]).toMatch(/^[0-9a-f-]{36}$/);
      expect(await signs(target)).toBe(keepId);
    }
    // The copy itself is as it was.
    expect(everything(copy)).toEqual(everything(source));
  });
});

/** The text of each migration, the oldest first; the first one is the released version's. */
const migrations = () => knownMigrations().map(({ name }) => readFileSync(`drizzle/${name}.sql`, 'utf8'));

it('a database of the version before is migrated: it keeps its keys for a while, and no two accounts share a hash', async () => {
  const path = join(folder, 'before.db');
  const first = new Database(path);
  const [foundation = '', ...later] = migrations();
  first.exec(foundation);
  const nobodys =
    '$argon2id$v=19$m=19456,t=2,p=1$kwhetYmtVszqPSZzlU9Slg$T7CgSOZI7aRB5+oLQzubaD32Ja5X1rDdbGPZLQNWF1Q';
  first.exec(`insert into clinic (id, time_zone, calendar_version) values (1, 'Asia/Jakarta', 1)`);
  for (const [id, hash] of [
    ['a', nobodys],
    ['b', nobodys],
    ['c', 'x'],
  ])
    first.exec(`insert into users (id, name, phone_number, phone_country_code, email, device_id, password_hash, role,
      created_at, updated_at) values ('${id}', '', '', '', '${id}', '', '${hash}', 'staff', 1, 1)`);
  for (const migration of later) first.exec(migration);
  const [a = '', b = '', c] = first
    .prepare('select password_hash from users order by id')
    .raw()
    .all()
    .flat() as string[];
  const [until] = first.prepare('select legacy_keys_until from clinic').raw().all().flat() as number[];
  first.close();
  expect(c).toBe('x');
  expect(new Set([a, b, nobodys]).size).toBe(3);
  for (const hash of [a, b])
    expect(parsePhc(hash)).toEqual({ m: 19_456, t: 2, p: 1, saltBytes: 16, hashBytes: 32 });
  const days = (Number(until) - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(31);
});

it('a copy of the version before counts as one whose secrets its own keys sealed', async () => {
  const path = join(folder, 'before.db');
  const first = new Database(path);
  first.exec(migrations()[0] ?? '');
  first.exec(`insert into clinic (id, time_zone, calendar_version) values (1, 'Asia/Jakarta', 1)`);
  const box = await createSecretBox({ dataSecrets: [secret] });
  first.exec(`insert into webhook_endpoints (id, url, description, event_types, secret, last_sequence, failures,
    created_at, updated_at) values ('e', 'https://x.example', '', '[]', '${await box.seal('x')}', 0, 0, 1, 1)`);
  first.close();
  expect(await signs(path)).toBe(true);
});
