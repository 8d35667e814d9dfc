import { spawnSync } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { clinicKeys } from '../../../src/core/crypto/clinic-keys.ts';
import { createSecretBox } from '../../../src/core/crypto/sealing.ts';
import { createTokenKeys } from '../../../src/core/crypto/token-keys.ts';
import { openNumber, sealNumber } from '../../../src/modules/patients/numbers/numbers.ts';
import { executeOnD1 } from '../../../src/runtime/node/d1/wrangler.ts';
import { commandLine, fileOfD1, makeD1, newFolder } from '../../support/node/command-line.ts';
import { insertText } from '../../support/node/insert-text.ts';

const secret = 'a-secret-of-this-test-and-of-nothing-else-0123456789';
const older = Buffer.alloc(32, 'older').toString('base64url');
const newer = Buffer.alloc(32, 'newer').toString('base64url');
const nik = (at: number) => `317123456789000${at}`;

const sealingOf = async (dataKey: string, sealedByJwt = false, clinicId = 'klinik') => {
  const keys = await clinicKeys({ clinicId, hasLegacyKeys: false, sealedByJwt }, { secret, dataKey });
  const own = sealedByJwt ? { ...keys, dataSecrets: keys.dataSecrets.slice(1) } : keys;
  return { secretBox: await createSecretBox(own), tokenKeys: await createTokenKeys(own) };
};

const newPatient = async (sealing: Awaited<ReturnType<typeof sealingOf>>, at: number): Promise<string> => {
  const { sealed, hash } = await sealNumber(sealing, 'national_id', nik(at));
  const own = { id: `p${at}`, name: `Pasien ${at}`, national_id: sealed, national_id_hash: hash };
  const fixed = {
    phone_number: '',
    phone_country_code: '',
    staff_notes: '',
    created_at: 1,
    updated_at: 1,
  };
  return insertText('patients', { ...own, ...fixed });
};
const newClinic = (id: string): string =>
  `insert into clinic (id, clinic_id, time_zone, calendar_version) values (1, '${id}', 'Asia/Jakarta', 1);`;

it('rekey --d1 seals by the present key what the key before sealed, and what JWT_SECRET did before both', async () => {
  const folder = newFolder();
  await makeD1(folder);
  const sealings = [await sealingOf(older), await sealingOf(older), await sealingOf(older, true)];
  const patients = await Promise.all(sealings.map(newPatient));
  const state = join(folder, '.wrangler/state');
  await executeOnD1({ remote: false, persistTo: state }, [newClinic('klinik'), ...patients]);
  const janji = commandLine(folder);
  const keys = { JWT_SECRET: secret, DATA_KEY: newer };
  const half = await janji.with(keys, 'rekey', '--d1');
  expect([half.status, half.errors]).toEqual([
    1,
    expect.stringContaining('2 values were sealed by a key that is not set'),
  ]);
  const whole = await janji.with({ ...keys, DATA_KEY_PREVIOUS: older }, 'rekey', '--d1');
  expect([whole.status, whole.out]).toEqual([0, expect.stringContaining('All 3 sealed values')]);
  const database = new DatabaseSync(fileOfD1(state), { readOnly: true });
  const rows = database.prepare('select national_id as sealed from patients order by id').all();
  const [row] = database.prepare('select sealed_by_jwt from clinic').all();
  database.close();
  const sealing = await sealingOf(newer);
  const numbers = await Promise.all(rows.map(({ sealed }) => openNumber(sealing, String(sealed))));
  expect(numbers).toEqual([nik(0), nik(1), nik(2)]);
  expect(row).toMatchObject({ sealed_by_jwt: 0 });
});

it('rekey --d1 includes the sandbox that the Worker has as SANDBOX_DB', async () => {
  const folder = newFolder();
  await makeD1(folder);
  const binding = ['binding = "SANDBOX_DB"', 'database_name = "janji-sandbox"', 'database_id = "1"'];
  appendFileSync(
    join(folder, 'wrangler.toml'),
    `\n[[d1_databases]]\n${binding.join('\n')}\nmigrations_dir = "drizzle"\n`,
  );
  const statements = join(folder, 'statements.sql');
  const patient = await newPatient(await sealingOf(older, false, 'kotak-pasir'), 0);
  writeFileSync(statements, [newClinic('kotak-pasir'), patient].join('\n'));
  for (const verb of [
    ['migrations', 'apply', 'SANDBOX_DB'],
    ['execute', 'SANDBOX_DB', '--yes', '--file', statements],
  ]) {
    const env = { ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false' };
    expect(spawnSync('wrangler', ['d1', ...verb, '--local'], { cwd: folder, env }).status).toBe(0);
  }
  await executeOnD1({ remote: false, persistTo: join(folder, '.wrangler/state') }, [newClinic('klinik')]);
  const keys = { JWT_SECRET: secret, DATA_KEY: newer, DATA_KEY_PREVIOUS: older };
  const sealed = await commandLine(folder).with(keys, 'rekey', '--d1');
  expect([sealed.status, sealed.out]).toEqual([0, expect.stringContaining('All 1 sealed values')]);
});
