import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { ensureClinic, toClinicIdentity } from '../../src/core/clinic/row.ts';
import { clinicKeys } from '../../src/core/crypto/clinic-keys.ts';
import { createSecretBox } from '../../src/core/crypto/sealing.ts';
import { createTokenKeys } from '../../src/core/crypto/token-keys.ts';
import { patients } from '../../src/core/tables/patients.ts';
import { deriveHashes, openNumber, sealNumber } from '../../src/modules/patients/numbers/numbers.ts';
import { openDatabase } from '../../src/runtime/node/database/database.ts';
import { isEncrypted } from '../../src/runtime/node/database/file-key.ts';
import { faultsDataKey, faultsSecret, freePort, startService } from '../support/faults/service.ts';
import { commandArguments } from '../support/node/entries.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const newer = Buffer.alloc(32, 'a newer data key').toString('base64url');
const fileKey = Buffer.alloc(32, 'a file key').toString('base64url');
const count = 3_000;
const number = (at: number) => `317123456789${String(at).padStart(4, '0')}`;

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'janji-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

type Opened = Awaited<ReturnType<typeof openDatabase>>['db'];

const sealingOf = async (db: Opened, dataKey: string, previousDataKey?: string) => {
  const identity = toClinicIdentity(await ensureClinic(db, 'Asia/Jakarta'), Date.now());
  const keys = await clinicKeys(identity, { secret: faultsSecret, dataKey, previousDataKey });
  return { secretBox: await createSecretBox(keys), tokenKeys: await createTokenKeys(keys) };
};

/** A database with sealed numbers, closed and in no process. */
const filled = async (key?: string): Promise<string> => {
  const made = join(newFolder(), 'made.db');
  const { db, close } = await openDatabase(`file:${made}`, undefined, { key });
  const sealing = await sealingOf(db, faultsDataKey);
  const rows = await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const { sealed, hash } = await sealNumber(sealing, 'national_id', number(at));
      const own = { nationalId: sealed, nationalIdHash: hash, numbersConfirmedAt: 1 };
      const fixed = { phoneNumber: '', phoneCountryCode: '', staffNotes: '', createdAt: 1, updatedAt: 1 };
      return { id: crypto.randomUUID(), name: `Pasien ${at}`, ...fixed, ...own };
    }),
  );
  for (let at = 0; at < count; at += 500) await db.insert(patients).values(rows.slice(at, at + 500));
  await close();
  const path = join(newFolder(), 'janji.db');
  copyFileSync(made, path);
  return path;
};

/** How many numbers are read and found with these keys. */
const readable = async (
  path: string,
  key: string | undefined,
  ...keys: [string, string?]
): Promise<number> => {
  const copy = join(newFolder(), 'copy.db');
  copyFileSync(path, copy);
  const { db, close } = await openDatabase(`file:${copy}`, undefined, { key });
  const sealing = await sealingOf(db, ...keys);
  const rows = await db.select().from(patients);
  const isWhole = await Promise.all(
    rows.map(async ({ name, nationalId, nationalIdHash }) => {
      const own = number(Number(name.slice(7)));
      const hashes = await deriveHashes(sealing, 'national_id', own);
      return (await openNumber(sealing, nationalId)) === own && hashes.includes(nationalIdHash ?? '');
    }),
  );
  await close();
  return isWhole.filter(Boolean).length;
};

const command = (path: string, settings: Record<string, string>, ...args: string[]) => {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const own = { JWT_SECRET: faultsSecret, DATABASE_URL: `file:${path}`, ...settings };
  const env = { PATH, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }), ...own };
  const child = spawn(process.execPath, [...commandArguments, ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  return { child, ended: once(child, 'exit').then(([code]) => code as number | null), said: () => said };
};

it('rekey that is killed again and again while the service runs loses no number, and goes on where it was', async () => {
  const path = await filled();
  const both = { DATA_KEY: newer, DATA_KEY_PREVIOUS: faultsDataKey };
  const service = await startService(path, await freePort(), both);
  onTestFinished(() => void service.child.kill('SIGKILL'));
  let killed = 0;
  for (let kills = 0; kills < 3; kills++) {
    const { child, ended, said } = command(path, both, 'rekey');
    // In the middle: once it has said how far it is, a little later each time.
    while (child.exitCode === null && !said().includes('values are sealed')) await sleep(5);
    await sleep(20 * kills);
    child.kill('SIGKILL');
    if ((await ended) === null) killed += 1;
    expect((await fetch(`${service.base}/ready`)).status).toBe(200);
  }
  expect(killed).toBeGreaterThan(0);
  const last = command(path, both, 'rekey');
  expect([await last.ended, last.said()]).toEqual([0, expect.stringContaining(`All ${count} sealed values`)]);
  expect(await service.stop()).toBe(0);
  expect(service.errors()).toBe('');
  expect(await readable(path, undefined, newer)).toBe(count);
  expect(await readable(path, undefined, faultsDataKey)).toBe(0);
});

it('encrypt and decrypt that are killed leave the file whole, before or after', async () => {
  const path = await filled();
  const began = performance.now();
  expect(await command(path, { DATABASE_KEY: fileKey }, 'encrypt').ended).toBe(0);
  const wholeMs = performance.now() - began;
  let killed = 0;
  for (let kills = 0; kills < 6; kills++) {
    const isIn = isEncrypted(path) === true;
    const { child, ended } = command(path, { DATABASE_KEY: fileKey }, isIn ? 'decrypt' : 'encrypt');
    await sleep((0.2 + Math.random() * 0.85) * wholeMs);
    child.kill('SIGKILL');
    if ((await ended) === null) killed += 1;
    expect(await readable(path, isEncrypted(path) === true ? fileKey : undefined, faultsDataKey)).toBe(count);
  }
  process.stdout.write(`${killed} of 6 were killed on their way\n`);
  expect(killed).toBeGreaterThan(0);
  const goal = isEncrypted(path) === true ? 'decrypt' : 'encrypt';
  expect(await command(path, { DATABASE_KEY: fileKey }, goal).ended).toBe(0);
  const key = goal === 'encrypt' ? fileKey : undefined;
  expect(await readable(path, key, faultsDataKey)).toBe(count);
});
