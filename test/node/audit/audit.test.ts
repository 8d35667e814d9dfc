import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { beforeEach, describe, expect, it } from 'vitest';
import { ensureClinic, toClinicIdentity } from '../../../src/core/clinic/row.ts';
import { clinicKeys } from '../../../src/core/crypto/clinic-keys.ts';
import { createSecretBox } from '../../../src/core/crypto/sealing.ts';
import { createTokenKeys } from '../../../src/core/crypto/token-keys.ts';
import { runAll } from '../../../src/core/db/db.ts';
import type { Deps } from '../../../src/core/deps.ts';
import { consoleLogger } from '../../../src/core/log.ts';
import { sweepExpired } from '../../../src/jobs/retention.ts';
import { recordSecurityEvent } from '../../../src/modules/auth/audit/queries.ts';
import { retainedMs } from '../../../src/modules/auth/audit/rules.ts';
import { sealTrail } from '../../../src/modules/auth/audit/seal.ts';
import { restore } from '../../../src/runtime/node/backup/restore.ts';
import { openDatabase } from '../../../src/runtime/node/database/database.ts';
import { change, commandLine, newFolder, rowsOf } from '../../support/node/command-line.ts';

const keys = {
  JWT_SECRET: 'a-secret-that-is-used-by-tests-only-0123456789',
  DATA_KEY: Buffer.alloc(32, 'a data key').toString('base64url'),
};
const day = 86_400_000;

let folder: string;
let path: string;
let janji: (...args: string[]) => ReturnType<ReturnType<typeof commandLine>>;

/** Works with the trail of a file as the service would. */
const withTrail = async (
  work: (deps: Pick<Deps, 'db' | 'log' | 'secretBox' | 'tokenKeys'>) => Promise<void>,
): Promise<void> => {
  const { db, close } = await openDatabase(`file:${path}`);
  const identity = toClinicIdentity(await ensureClinic(db, 'Asia/Jakarta'), Date.now());
  const made = await clinicKeys(identity, { secret: keys.JWT_SECRET, dataKey: keys.DATA_KEY });
  await work({
    db,
    log: consoleLogger('silent'),
    secretBox: await createSecretBox(made),
    tokenKeys: await createTokenKeys(made),
  });
  await close();
};

const addLine = ({ db }: Pick<Deps, 'db'>, now: number) =>
  runAll(db, [
    recordSecurityEvent(db, {
      ...{ writeId: crypto.randomUUID(), type: 'record_read' as const, userId: null, now },
      patientId: crypto.randomUUID(),
      route: 'GET /v1/patients/{id}',
    }),
  ]);

/** A block of so many lines for each day before today. */
const fill = (...sizes: number[]) =>
  withTrail(async (deps) => {
    for (const [at, size] of sizes.entries()) {
      const now = Date.now() - (sizes.length - at) * day;
      for (let line = 0; line < size; line++) await addLine(deps, now);
      await sealTrail(deps, now);
    }
  });

beforeEach(async () => {
  folder = newFolder();
  path = join(folder, 'janji.db');
  const run = commandLine(folder);
  janji = (...args) => run.with(keys, ...args);
  await fill(2, 3, 2);
});

const copyOf = (name = 'trail.jsonl') => join(folder, name);

describe('audit verify', () => {
  it('says that the trail is sound, and names what is not', async () => {
    expect(await janji('audit', 'verify')).toMatchObject({
      status: 0,
      out: 'The audit trail of 7 lines in 3 blocks, up to block 3, is sound.\n',
    });
    change(
      path,
      "update security_events set actor_id = 'x' where sequence = 4; delete from audit_blocks where number = 1",
    );
    const { status, out } = await janji('audit', 'verify');
    expect(status).toBe(1);
    expect(out).toMatch(/^block 1: was removed\n/);
    expect(out).toContain('is BROKEN');
  });

  it('distinguishes a chain of another clinic from a broken one: it is intact, and continues', async () => {
    const copy = join(folder, 'copy.db');
    copyFileSync(path, copy);
    const target = join(folder, 'other.db');
    await restore(copy, target, { force: false, asNew: true, now: Date.now(), progress: () => {} });
    path = target;
    await fill(1);
    const other = commandLine(folder, `file:${target}`);
    const { status, out } = await other.with(keys, 'audit', 'verify');
    expect(out).toMatch(/^3 blocks from 1 to 3: sealed by a key that is not at hand/);
    expect([status, out.includes('holds together')]).toEqual([2, true]);
  });

  it('finds the chain whole in a backup that was restored', async () => {
    const backup = join(folder, 'backup.db');
    expect((await janji('backup', backup)).status).toBe(0);
    const restored = commandLine(folder, `file:${join(folder, 'restored.db')}`);
    expect((await restored.with(keys, 'restore', backup)).status).toBe(0);
    expect((await restored.with(keys, 'audit', 'verify')).status).toBe(0);
  });

  it('needs the key, without which it would prove nothing', async () => {
    const run = commandLine(folder);
    expect(await run('audit', 'verify')).toMatchObject({
      status: 1,
      errors: expect.stringContaining('DATA_KEY'),
    });
  });
});

it.each([
  [1, '1 line waits for the next block.'],
  [2, '2 lines wait for the next block.'],
])('says how many lines are not sealed yet: %i', async (count, said) => {
  await withTrail(async (deps) => {
    for (let nth = 0; nth < count; nth++) await addLine(deps, Date.now());
  });
  expect((await janji('audit', 'verify')).out).toContain(said);
});

describe('audit export', () => {
  it('makes a copy that can be checked wherever it is stored, with a line in the trail that says so', async () => {
    const made = await janji('audit', 'export', copyOf());
    expect(made).toMatchObject({ status: 0, out: expect.stringContaining('8 lines in 4 blocks') });
    expect(rowsOf(path, "select detail from security_events where type = 'audit_exported'")).toHaveLength(1);
    expect(await janji('audit', 'verify', '--file', copyOf())).toMatchObject({ status: 0 });
    const alone = await commandLine(newFolder())('audit', 'verify', '--file', copyOf(), '--alone');
    expect(alone).toMatchObject({ status: 0, out: expect.stringContaining('8 lines in 4 blocks, is sound') });
    expect((await janji('audit', 'export', copyOf())).errors).toContain('exists');
  });

  it.each([
    ['a changed line', (text: string) => text.replace('"sequence":4', '"sequence":5'), 'a line was changed'],
    ['a missing line', (text: string) => text.replace(/.*"sequence":4,.*\n/, ''), 'parts of it are missing'],
    [
      'a copy that ends early',
      (text: string) => text.split('\n').slice(0, 6).join('\n'),
      'its end is missing',
    ],
    ['a changed seal', (text: string) => text.replace(/"seal":"../, '"seal":"xy'), 'without the key'],
    ['another hash', (text: string) => text.replace(/"hash":"../, '"hash":"xy'), 'was changed'],
    ['no copy at all', () => '{}\n', 'cannot be read'],
  ])('of which %s is found', async (_what, spoil, said) => {
    await janji('audit', 'export', copyOf());
    writeFileSync(copyOf('spoilt.jsonl'), spoil(readFileSync(copyOf(), 'utf8')));
    const { status, out, errors } = await janji('audit', 'verify', '--file', copyOf('spoilt.jsonl'));
    expect([status, out + errors]).toEqual([1, expect.stringContaining(said)]);
  });

  it('proves that the chain was cut off or rebuilt, which the database by itself does not show', async () => {
    await janji('audit', 'export', copyOf());
    change(path, 'delete from audit_blocks; delete from security_events; delete from sqlite_sequence');
    await fill(2, 2);
    expect((await janji('audit', 'verify')).status).toBe(0);
    const { status, out } = await janji('audit', 'verify', '--file', copyOf());
    expect(status).toBe(1);
    expect(out).toContain('The database does not hold what the copy does:\nblock 1: was changed\n');
    expect(out).toContain('block 4: was removed');
  });

  it('takes the whole blocks of a period, and a copy of what retention deletes stays good', async () => {
    const date = (ago: number) => new Date(Date.now() + 7 * 3_600_000 - ago * day).toISOString().slice(0, 10);
    const made = await janji('audit', 'export', copyOf(), '--from', date(2), '--to', date(2));
    expect(made.out).toContain('3 lines in 1 block.');
    expect((await janji('audit', 'verify', '--file', copyOf())).status).toBe(0);
    await withTrail((deps) => sweepExpired({ ...deps, clock: () => 0 } as Deps, Date.now() + retainedMs));
    expect(rowsOf(path, 'select count(*) from audit_blocks')).toEqual([[2]]);
    expect((await janji('audit', 'verify', '--file', copyOf())).status).toBe(0);
    expect((await janji('audit', 'export', copyOf('none.jsonl'), '--to', '2001-01-01')).out).toContain(
      '0 lines',
    );
    expect((await janji('audit', 'verify', '--file', copyOf('none.jsonl'))).status).toBe(0);
    expect((await janji('audit', 'export', copyOf('x'), '--to', 'kemarin')).errors).toContain('YYYY-MM-DD');
  });

  it('is encrypted for a recipient of backups, and checked only with its identity', async () => {
    const identity = await generateIdentity();
    const identityFile = join(folder, 'identity.txt');
    writeFileSync(identityFile, `${identity}\n`);
    const run = commandLine(folder);
    const recipient = await identityToRecipient(identity);
    const sealed = { ...keys, BACKUP_RECIPIENT: recipient, BACKUP_IDENTITY_FILE: identityFile };
    expect((await run.with(sealed, 'audit', 'export', copyOf())).status).toBe(0);
    const bytes = readFileSync(copyOf());
    expect(bytes.subarray(0, 21).toString()).toBe('age-encryption.org/v1');
    expect(bytes.includes('record_read')).toBe(false);
    expect(await run.with(sealed, 'audit', 'verify', '--file', copyOf())).toMatchObject({ status: 0 });
    const without = await run.with(keys, 'audit', 'verify', '--file', copyOf());
    expect(without.errors).toContain('BACKUP_IDENTITY_FILE');
    expect(without.status).not.toBe(0);
  });

  it('gives a table for a spreadsheet', async () => {
    expect((await janji('audit', 'export', copyOf('trail.csv'), '--csv')).status).toBe(0);
    const [names, ...lines] = readFileSync(copyOf('trail.csv'), 'utf8').trimEnd().split('\r\n');
    expect(names).toMatch(/^id,occurred_at,type,/);
    expect(lines).toHaveLength(8);
  });
});
