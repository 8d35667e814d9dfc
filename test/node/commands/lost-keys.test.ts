import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { describe, expect, it } from 'vitest';
import { faultsDataKey, faultsSecret, type Service } from '../../support/faults/service.ts';
import { commandLine, newFolder } from '../../support/node/command-line.ts';
import { ask, newClinic, secrets, serve, stoppedClinic } from '../../support/node/sealed-clinic.ts';

// The drills of docs/backups.md, section "Lost and leaked keys", step by step.

const drawn = () => randomBytes(32).toString('base64');
const { nationalId } = secrets;

const lived = async (key?: string) => {
  const clinic = await stoppedClinic(key);
  const janji = commandLine(clinic.folder);
  const keys = { JWT_SECRET: faultsSecret, DATA_KEY: faultsDataKey };
  return {
    ...clinic,
    run: (more: Record<string, string>, ...args: string[]) => janji.with({ ...keys, ...more }, ...args),
  };
};

const profileStatus = async (service: Service, token: string) =>
  (await ask(service, '/v1/auth/profile', { token })).status;

/** The whole number, as the detail shows it to an admin. */
const numberOf = async (service: Service, token: string, id: string): Promise<string | null> =>
  (await ask(service, `/v1/patients/${id}`, { token })).body.data.national_id;

const foundBy = async (service: Service, token: string, number: string): Promise<string[]> =>
  (await ask(service, `/v1/patients?q=${number}`, { token })).body.data.map(({ id }: { id: string }) => id);

/** A new login of the admin: their access token went with the secret. */
const refreshed = async (service: Service, refreshToken: string): Promise<string> =>
  (await ask(service, '/v1/auth/refresh', { body: { refresh_token: refreshToken } })).body.data.access_token;

describe('JWT_SECRET has leaked', () => {
  it('a new one ends every access token at once; clients refresh, and everything sealed stays readable', async () => {
    const { path, admin, accessToken, refreshToken, run } = await lived();
    const JWT_SECRET = drawn();
    const service = await serve(path, { JWT_SECRET });
    expect(await profileStatus(service, accessToken)).toBe(401);
    expect(await profileStatus(service, admin)).toBe(401);
    expect(await profileStatus(service, await refreshed(service, refreshToken))).toBe(200);
    await service.stop();
    // The old key opens nothing any more, and the numbers never needed it.
    expect((await run({ JWT_SECRET }, 'check')).out).toContain('all 3 numbers and secrets, by this DATA_KEY');
  });
});

describe('DATA_KEY has leaked', () => {
  it('a new one and rekey: numbers are found at every step, and the old key opens nothing any more', async () => {
    const { path, admin, patientId, run } = await lived();
    const DATA_KEY = drawn();
    const both = { DATA_KEY, DATA_KEY_PREVIOUS: faultsDataKey };
    const during = await serve(path, both);
    expect(await numberOf(during, admin, patientId)).toBe(nationalId);
    expect(await foundBy(during, admin, nationalId)).toEqual([patientId]);
    // While it serves.
    const { status, out, errors } = await run(both, 'rekey');
    expect([status, out, errors]).toEqual([
      0,
      expect.stringContaining('All 3 sealed values'),
      expect.anything(),
    ]);
    expect(await foundBy(during, admin, nationalId)).toEqual([patientId]);
    await during.stop();
    const after = await serve(path, { DATA_KEY });
    expect(await numberOf(after, admin, patientId)).toBe(nationalId);
    expect(await foundBy(after, admin, nationalId)).toEqual([patientId]);
    await after.stop();
    expect((await run({ DATA_KEY }, 'check')).out).toContain('all 3 numbers and secrets');
    expect((await run({}, 'check')).out).toContain('3 numbers and secrets of 3 do not open');
  });
});

describe('DATA_KEY has leaked where there is a sandbox', () => {
  const scopes = ['patients:read', 'patients:write'];
  const withSandbox = async () => {
    const { path, admin, run, folder } = await lived();
    const service = await serve(path, { SANDBOX: 'on' });
    const made = await ask(service, '/v1/sandbox/keys', { token: admin, body: { name: 'Uji', scopes } });
    const token: string = made.body.data.key;
    const body = { name: 'Uji Coba', birth_date: '1990-01-01', national_id: '3171234567890002' };
    const { id } = (await ask(service, '/v1/patients', { token, body })).body.data;
    await service.stop();
    return { path, run, token, id: String(id), body, file: join(folder, 'janji-sandbox.db') };
  };

  it('rekey includes it, whether the setting is on or off: its keys and numbers outlive the old key', async () => {
    const { path, run, token, id, body } = await withSandbox();
    const DATA_KEY = drawn();
    const sealed = await run({ DATA_KEY, DATA_KEY_PREVIOUS: faultsDataKey }, 'rekey', '--json');
    expect([sealed.status, JSON.parse(sealed.out)]).toEqual([0, { sealed: expect.any(Number) }]);
    const service = await serve(path, { DATA_KEY, SANDBOX: 'on' });
    const found = await ask(service, `/v1/patients/${id}`, { token });
    expect([found.status, found.body.data?.national_id]).toEqual([200, body.national_id]);
    await service.stop();
  });

  it('one whose key is lost, or that is damaged, holds up no clinic', async () => {
    const { path, run, file } = await withSandbox();
    const [first, second] = [drawn(), drawn()];
    const lost = { DATA_KEY: first, DATA_KEY_PREVIOUS: faultsDataKey };
    const kept = readFileSync(file);
    expect((await run(lost, 'rekey')).status).toBe(0);
    writeFileSync(file, kept);
    const without = await run({ DATA_KEY: second, DATA_KEY_PREVIOUS: first }, 'rekey');
    expect([without.status, without.errors]).toEqual([0, expect.stringContaining('/v1/sandbox/reset')]);
    writeFileSync(file, 'no database at all, and long enough to be read'.repeat(100));
    const damaged = await run({ DATA_KEY: second }, 'rekey');
    expect([damaged.status, damaged.errors]).toEqual([
      0,
      expect.stringContaining('The sandbox was passed over'),
    ]);
    const service = await serve(path, { DATA_KEY: second });
    await service.stop();
  });
});

describe('DATA_KEY is lost', () => {
  it('the service goes on: nobody is logged out, numbers are asked for again, and check reports how many', async () => {
    const { path, admin, accessToken, patientId, run } = await lived();
    const DATA_KEY = drawn();
    expect((await run({ DATA_KEY }, 'check')).out).toMatch(/WRONG {2}sealed .*3 numbers and secrets of 3/);
    expect((await run({ DATA_KEY }, 'rekey')).errors).toContain(
      '3 values were sealed by a key that is not set',
    );
    const service = await serve(path, { DATA_KEY });
    expect(await profileStatus(service, accessToken)).toBe(200);
    expect(await numberOf(service, admin, patientId)).toBeNull();
    const typed = { method: 'PATCH', token: admin, body: { national_id: nationalId } };
    expect((await ask(service, `/v1/patients/${patientId}`, typed)).status).toBe(200);
    expect(await numberOf(service, admin, patientId)).toBe(nationalId);
    expect(await foundBy(service, admin, nationalId)).toEqual([patientId]);
    await service.stop();
    // Once found again, it opens the remaining values.
    const both = { DATA_KEY, DATA_KEY_PREVIOUS: faultsDataKey };
    expect((await run(both, 'rekey')).out).toContain('All 3 sealed values');
  });
});

describe('DATABASE_KEY is lost or has leaked', () => {
  it('lost: the start is refused in one sentence, and a backup for a recipient brings the clinic back', async () => {
    const DATABASE_KEY = Buffer.alloc(32, 'a file key').toString('base64url');
    const identity = await generateIdentity();
    const { folder, path, admin, patientId, run } = await lived(DATABASE_KEY);
    const backup = join(folder, 'b.age');
    const BACKUP_RECIPIENT = await identityToRecipient(identity);
    expect((await run({ DATABASE_KEY, BACKUP_RECIPIENT }, 'backup', backup)).status).toBe(0);
    const next = drawn();
    const refusal = await serve(path, { DATABASE_KEY: next }).then(String, String);
    expect(refusal).toBe(
      `Error: The service did not start: DATABASE_KEY does not open ${path}: it is the key of another file, or the file is damaged.\n`,
    );
    expect(await serve(path).then(String, String)).toContain('encrypted (then set its DATABASE_KEY)');
    const identityFile = join(newFolder(), 'identity.txt');
    writeFileSync(identityFile, identity);
    const settings = { DATABASE_KEY: next, BACKUP_IDENTITY_FILE: identityFile };
    const restored = await run(settings, 'restore', '--force', backup);
    expect([restored.status, restored.errors]).toEqual([0, expect.stringContaining('is kept as')]);
    const service = await serve(path, { DATABASE_KEY: next });
    expect(await numberOf(service, admin, patientId)).toBe(nationalId);
    expect(await service.stop()).toBe(0);
  });

  it('leaked: encrypt gives the file another key, and the old one opens it no more', async () => {
    const DATABASE_KEY = Buffer.alloc(32, 'a file key').toString('base64url');
    const { path, admin, run } = await lived(DATABASE_KEY);
    const next = drawn();
    const moved = await run({ DATABASE_KEY: next, DATABASE_KEY_PREVIOUS: DATABASE_KEY }, 'encrypt');
    expect([moved.status, moved.out]).toEqual([0, expect.stringContaining('the new DATABASE_KEY')]);
    expect(await serve(path, { DATABASE_KEY }).then(String, String)).toContain('does not open');
    const service = await serve(path, { DATABASE_KEY: next });
    expect(await profileStatus(service, admin)).toBe(200);
    expect(await service.stop()).toBe(0);
  });
});

describe('an API key has leaked', () => {
  it('found by its first characters and revoked, it is refused at once; another one goes on, and check counts', async () => {
    const { path, admin, run } = await lived();
    const service = await serve(path);
    const keys = '/v1/admin/api-keys';
    const body = { name: 'Layar lobi', scopes: ['bookings:read'] };
    const make = async (more: object = {}) =>
      (await ask(service, keys, { token: admin, body: { ...body, ...more } })).body.data;
    const leaked = (await make()).key as string;
    const reads = async (token: string) => (await ask(service, '/v1/bookings', { token })).status;
    expect(await reads(leaked)).toBe(200);
    expect((await run({}, 'check')).out).toMatch(/note {3}API keys .*one never ends/);
    const listed = (await ask(service, keys, { token: admin })).body.data;
    const { id } = listed.find(({ prefix }: { prefix: string }) => leaked.startsWith(prefix));
    const revoked = await ask(service, `${keys}/${id}`, { token: admin, method: 'DELETE' });
    expect(revoked.status).toBe(200);
    expect(await reads(leaked)).toBe(401);
    const next = await make({ expires_at: new Date(Date.now() + 86_400_000).toISOString() });
    expect(await reads(next.key)).toBe(200);
    const used = (await ask(service, `${keys}/${id}`, { token: admin })).body.data;
    expect(used).toMatchObject({ status: 'revoked', last_used_at: expect.any(String) });
    await service.stop();
    expect((await run({}, 'check')).out).not.toContain('API keys');
  });
});

describe('the identity of the backups is lost', () => {
  it('the old ones stay shut, and new ones for another recipient open', async () => {
    const { folder, run } = await lived();
    const [lost, next] = [await generateIdentity(), await generateIdentity()];
    const backUp = async (file: string, identity: string) =>
      run({ BACKUP_RECIPIENT: await identityToRecipient(identity) }, 'backup', join(folder, file));
    expect((await backUp('old.age', lost)).status).toBe(0);
    expect((await backUp('new.age', next)).status).toBe(0);
    const identityFile = join(newFolder(), 'identity.txt');
    writeFileSync(identityFile, `${next}\n`);
    const settings = { BACKUP_IDENTITY_FILE: identityFile };
    expect((await run(settings, 'verify', join(folder, 'old.age'))).errors).toContain('does not open');
    expect((await run(settings, 'verify', join(folder, 'new.age'))).out).toContain('is sound');
    // Two identities in one file open what either was for: how a change is begun before the old one goes.
    writeFileSync(identityFile, `${next}\n${lost}\n`);
    expect((await run(settings, 'verify', join(folder, 'old.age'))).out).toContain('is sound');
  });
});

it('outside production the data key is made beside the file, reused, and demanded when it is damaged', async () => {
  const { path } = await newClinic();
  const settings = { NODE_ENV: 'development', DATA_KEY: '', JWT_SECRET: '', DEMO: 'off' };
  await (await serve(path, settings)).stop();
  const file = `${path}.data-key`;
  expect(existsSync(file)).toBe(true);
  copyFileSync(file, `${file}.kept`);
  writeFileSync(file, 'too short');
  expect(await serve(path, settings).then(String, String)).toMatch(
    /DATA_KEY is not set, and .*\.data-key holds no key/,
  );
  copyFileSync(`${file}.kept`, file);
  await (await serve(path, settings)).stop();
});
