import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ensureClinic } from '../../../src/core/clinic/row.ts';
import { toBase64Url } from '../../../src/core/crypto/base64url.ts';
import { createTokenKeys } from '../../../src/core/crypto/token-keys.ts';
import { parseConfig } from '../../../src/core/settings/config.ts';
import {
  deviceLogins,
  passwordResets,
  securityEvents,
  setupLinks,
  users,
} from '../../../src/core/tables/accounts.ts';
import { closures } from '../../../src/core/tables/catalog.ts';
import { recoveryCodes, secondFactors } from '../../../src/core/tables/factors.ts';
import { knownNetworks } from '../../../src/core/tables/throttle.ts';
import { createHasher } from '../../../src/modules/auth/passwords/hasher.ts';
import { hashToken } from '../../../src/modules/auth/refresh-token.ts';
import { knownName } from '../../../src/modules/auth/throttle/throttled.ts';
import { keysAtHand, secretsAtHand } from '../../../src/runtime/node/checks/sealed-secrets.ts';
import { openDatabase } from '../../../src/runtime/node/database/database.ts';
import { commandLine, newFolder } from '../../support/node/command-line.ts';

const given = 'kata-sandi-uji-17';
let folder = '';
const url = () => `file:${join(folder, 'janji.db')}`;

beforeEach(() => {
  folder = newFolder();
});

const janji = (...args: string[]) => commandLine(folder)(...args);
const janjiWith = (password: string, ...args: string[]) =>
  commandLine(folder).with({ JANJI_ADMIN_PASSWORD: password }, ...args);

describe('create-admin', () => {
  const wanted = ['create-admin', '--email', 'Kepala@Klinik.example', '--name', 'Kepala'];

  it('writes an admin who logs in with the password from standard input', async () => {
    expect(await commandLine(folder).fed(`${given}\n`, ...wanted)).toMatchObject({
      status: 0,
      out: 'kepala@klinik.example is an admin now.\n',
    });
    const { db, close } = await openDatabase(url());
    const [admin] = await db.select().from(users);
    const trail = await db.select().from(securityEvents);
    await close();
    expect(trail).toEqual([
      expect.objectContaining({ type: 'role_changed', userId: admin?.id, actorId: null }),
    ]);
    expect(trail[0]?.detail).toBe('{"from":null,"to":"admin","doctor_id":null}');
    expect(admin).toMatchObject({ role: 'admin', email: 'kepala@klinik.example' });
    expect(await createHasher().verify(admin?.passwordHash ?? '', given)).toBe(true);
  });

  it('gives an account that somebody registered the new password, and ends whatever opened it', async () => {
    await janji('migrate');
    const opened = await openDatabase(url());
    const times = { createdAt: 1, updatedAt: 1 };
    const user = { id: 'u', name: 'Asing', email: 'kepala@klinik.example', role: 'patient' as const };
    const phone = { phoneNumber: '0812', phoneCountryCode: '62', deviceId: '' };
    const login = { deviceId: '', userAgent: '', createdAt: 1, lastSeenAt: 1, expiresAt: 9e12 };
    await opened.db.insert(users).values({ ...user, ...phone, ...times, passwordHash: 'asing' });
    await opened.db.insert(deviceLogins).values({ id: 'l', userId: 'u', ...login });
    await opened.db.insert(passwordResets).values({ hash: 'h', userId: 'u', createdAt: 1, expiresAt: 9e12 });
    await opened.close();
    expect(await janjiWith(given, ...wanted)).toMatchObject({
      status: 0,
      out: expect.stringMatching(/is an admin now\.\nThe e-mail had an account/),
    });
    const { db, close } = await openDatabase(url());
    const [admin, ...others] = await db.select().from(users);
    const [ended] = await db.select().from(deviceLogins);
    const [spent] = await db.select().from(passwordResets);
    const trail = await db.select().from(securityEvents);
    await close();
    expect(others).toEqual([]);
    expect(admin).toMatchObject({ id: 'u', name: 'Asing', role: 'admin', doctorId: null });
    expect(admin?.invitedAt).not.toBeNull();
    expect(await createHasher().verify(admin?.passwordHash ?? '', given)).toBe(true);
    expect(ended?.revokedReason).toBe('role_changed');
    expect(spent?.usedAt).not.toBeNull();
    expect(trail.map(({ detail }) => JSON.parse(detail ?? ''))).toEqual([
      { from: 'patient', to: 'admin', doctor_id: null, password: 'set' },
    ]);
  });

  it('makes the networks and devices strangers that an account knew, where the keys are at hand, and else says so', async () => {
    await janji('migrate');
    const opened = await openDatabase(url());
    const { clinicId } = await ensureClinic(opened.db, 'Asia/Jakarta');
    const keys = { DATA_KEY: toBase64Url(new Uint8Array(32).fill(7)), JWT_SECRET: 'r'.repeat(48) };
    const identity = {
      clinicId,
      hasLegacyKeys: true,
      legacyKeysUntil: null,
      sealedByJwt: false,
    };
    const secrets = secretsAtHand(parseConfig(keys), null);
    const tokenKeys = await createTokenKeys(await keysAtHand(identity, secrets));
    const account = await knownName({ tokenKeys }, 'kepala@klinik.example');
    await janjiWith(given, ...wanted);
    const network = { account, network: 'n', expiresAt: 9e12 };
    await opened.db.insert(knownNetworks).values(network);
    const without = await janjiWith(given, ...wanted);
    expect(without.errors).toContain('Its networks and devices stay known');
    expect(await opened.db.select().from(knownNetworks)).toHaveLength(1);
    const settings = { JANJI_ADMIN_PASSWORD: given, ...keys };
    expect((await commandLine(folder).with(settings, ...wanted)).errors).not.toContain('stay known');
    const left = await opened.db.select().from(knownNetworks);
    await opened.close();
    expect(left.filter((one) => one.network === 'n')).toEqual([]);
  });

  it('refuses a weak password and a wrong e-mail in one line, and never echoes the password', async () => {
    expect((await janjiWith('password', ...wanted)).errors).toBe('This password is common.\n');
    expect((await janjiWith(given, 'create-admin', '--email', 'x', '--name', 'X')).errors).toBe(
      '--email cannot be accepted.\n',
    );
  });
});

describe('setup-link', () => {
  it('prints the one link that is good, and none once there is an admin', async () => {
    const settings = { PUBLIC_URL: 'https://janji.klinik.example' };
    const linkOf = async (): Promise<string> => {
      const { status, out } = await commandLine(folder).with(settings, 'setup-link');
      expect([status, out]).toEqual([
        0,
        expect.stringMatching(/^https:\/\/janji\.klinik\.example\/mulai\/#[\w-]{43}\n$/),
      ]);
      return out.trim().split('#')[1] ?? '';
    };
    const tokens = [await linkOf(), await linkOf()];
    const { db, close } = await openDatabase(url());
    const { clinicId } = await ensureClinic(db, 'Asia/Jakarta');
    const rows = await db.select().from(setupLinks);
    await close();
    expect(rows.map(({ hash }) => hash)).toEqual([await hashToken({ clinicId }, tokens[1] ?? '')]);
    expect((await janji('setup-link')).out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mulai\/#/);
    await janjiWith(given, 'create-admin', '--email', 'kepala@klinik.example', '--name', 'Kepala');
    const refused = await janji('setup-link');
    expect([refused.status, refused.out, refused.errors]).toEqual([
      1,
      '',
      expect.stringContaining('has an admin already'),
    ]);
  });
});

describe('reset-second-factor', () => {
  const wanted = ['reset-second-factor', '--email', ' Kepala@Klinik.example '];

  it('takes the factor of a locked-out admin away, ends the logins, and says so in the audit', async () => {
    const admin = ['create-admin', '--email', 'kepala@klinik.example', '--name', 'Kepala'];
    await janjiWith(given, ...admin);
    const opened = await openDatabase(url());
    const [{ id = '' } = {}] = await opened.db.select().from(users);
    const login = { deviceId: '', userAgent: '', createdAt: 1, lastSeenAt: 1, expiresAt: 9e12 };
    await opened.db.update(users).set({ secondFactorAt: 1 });
    const factor = { kind: 'totp' as const, name: '', secret: 's', counter: 0, createdAt: 1, confirmedAt: 1 };
    await opened.db.insert(secondFactors).values({ id: 'f', userId: id, ...factor });
    await opened.db.insert(recoveryCodes).values({ hash: 'h', userId: id, createdAt: 1 });
    await opened.db.insert(deviceLogins).values({ id: 'l', userId: id, ...login });
    await opened.close();
    expect(await janji(...wanted)).toMatchObject({
      status: 0,
      out: 'kepala@klinik.example logs in with the password alone now.\n',
    });
    const { db, close } = await openDatabase(url());
    const [user] = await db.select().from(users);
    const left = [await db.select().from(secondFactors), await db.select().from(recoveryCodes)];
    const [ended] = await db.select().from(deviceLogins);
    const trail = await db.select().from(securityEvents);
    await close();
    expect([user?.secondFactorAt, left]).toEqual([null, [[], []]]);
    expect(await createHasher().verify(user?.passwordHash ?? '', given)).toBe(true);
    expect(ended?.revokedReason).toBe('factor_changed');
    expect(trail.at(-1)).toMatchObject({ type: 'second_factor_reset', userId: id, actorId: null });
    expect((await janji(...wanted)).errors).toBe('This account has no second factor.\n');
  });

  it('says so where nobody has the e-mail', async () => {
    await janji('migrate');
    expect((await janji('reset-second-factor', '--email', 'x@klinik.example')).errors).toBe(
      'Nobody has this e-mail.\n',
    );
  });
});

describe('holidays', () => {
  it('prints what it would add, adds it on request, and nothing twice', async () => {
    const year = ['holidays', '--year', '2027'];
    await janji('migrate');
    expect((await commandLine(folder).alone(...year)).out).toMatch(
      /^2027-01-01 .*\n(.*\n)+\d+ to add\. Nothing was written/,
    );
    const applied = await janji(...year, '--apply');
    expect(applied.out).toMatch(/\d+ added/);
    const count = Number(/(\d+) added/.exec(applied.out)?.[1]);
    expect(count).toBeGreaterThan(10);
    expect(applied.out).toContain('2027-01-05 Isra Mikraj Nabi Muhammad SAW (tentative: check the decree)');
    expect((await janji(...year, '--apply')).out).toContain('\n0 added');
    const leave = await janji(...year, '--joint-leave', '2027-03-12', '--apply');
    expect(leave.out).toContain('\n1 added');
    expect((await janji('holidays', '--year', '1999')).errors).toContain('--year takes a year from 2024');
    const { db, close } = await openDatabase(url());
    const rows = await db.select().from(closures);
    await close();
    expect(rows).toHaveLength(count + 1);
    expect(rows.find(({ startDate }) => startDate === '2027-08-17')).toMatchObject({
      doctorId: null,
      startTime: null,
    });
  });
});
