import { describe, expect, it } from 'vitest';
import { clinicKeys } from '../../src/core/crypto/clinic-keys.ts';
import { createTokenKeys } from '../../src/core/crypto/token-keys.ts';
import { openApiDocument } from '../../src/interface/reference/document.ts';
import {
  createWorld,
  findKeys,
  password,
  registerPatient,
  secret,
  secretsOf,
  settleAll,
  type World,
} from '../support/world.ts';

const home = '198.51.100.1';
const day = 86_400_000;

interface From {
  address?: string;
  device?: string | null;
}

const headersOf = ({ address = home, device = null }: From) => ({
  'X-Test-Address': address,
  ...(device !== null && { 'X-Device-Token': device }),
});

const logIn = (world: World, email: string, typed: string, from: From = {}) =>
  world.request('/v1/auth/login', { body: { email, password: typed }, headers: headersOf(from) });

const tokenIn = ({ headers }: { headers: Headers }): string => headers.get('X-Device-Token') ?? '';

/** A patient whose phone has logged in once, from home. */
const started = async (settings: Record<string, string> = {}) => {
  const world = await createWorld({ RATE_LIMIT: 'on', ...settings });
  const patient = await registerPatient(world);
  const device = tokenIn(await logIn(world, patient.email, password));
  expect(device).toMatch(/^[\w-]{22}\.[0-9a-z]+\.[\w-]{43}$/);
  return { world, ...patient, device };
};

/** Wrong passwords from so many addresses that the account is shut for every network that it does not know. */
const attack = async (world: World, email: string): Promise<void> => {
  const argon2 = world.deps.hasher.verify;
  world.deps.hasher.verify = async () => false;
  for (let nth = 0; nth < 24; nth++) await logIn(world, email, 'wrong', { address: `192.0.2.${nth}` });
  world.deps.hasher.verify = argon2;
};

describe('a device that has logged in before', () => {
  it('logs in from a new address while wrong passwords from 24 addresses shut the account for strangers', async () => {
    const { world, email, device } = await started();
    await attack(world, email);
    expect((await logIn(world, email, password, { address: '203.0.113.50' })).status).toBe(429);
    expect((await logIn(world, email, password, { address: '203.0.113.51', device })).status).toBe(200);
  });

  it('is a stranger after a new password, until it logs in with it', async () => {
    const { world, email, token, device } = await started();
    const fresh = 'melati-putih-73';
    const body = { current_password: password, password: fresh, password_confirmation: fresh };
    expect((await world.request('/v1/auth/password', { token, body })).status).toBe(200);
    world.clock.now += 1;
    const again = tokenIn(await logIn(world, email, fresh, { address: home }));
    await attack(world, email);
    expect((await logIn(world, email, fresh, { address: '203.0.113.50', device })).status).toBe(429);
    expect((await logIn(world, email, fresh, { address: '203.0.113.51', device: again })).status).toBe(200);
  });

  it('is known from its registration on', async () => {
    const world = await createWorld({ RATE_LIMIT: 'on' });
    const email = 'baru@klinik.example';
    const made = await world.request('/v1/auth/register', {
      body: {
        name: 'Orang Baru',
        phone_number: '8123456789',
        phone_country_code: '62',
        email: ' Baru@Klinik.Example ',
        password,
        password_confirmation: password,
      },
    });
    await attack(world, email);
    const from = { address: '203.0.113.52', device: tokenIn(made) };
    expect((await logIn(world, email, password, from)).status).toBe(200);
  });

  it('has guesses of its own: neighbours behind the same address hold it up no more than strangers', async () => {
    const { world, email, device } = await started();
    for (let nth = 0; nth < 5; nth++) await logIn(world, email, 'wrong');
    expect((await logIn(world, email, password)).status).toBe(429);
    expect((await logIn(world, email, password, { device })).status).toBe(200);
  });

  it('may not guess without end: it waits after five wrong passwords, wherever it is', async () => {
    const { world, email, device } = await started();
    const statuses: number[] = [];
    for (let nth = 0; nth < 7; nth++)
      statuses.push((await logIn(world, email, 'wrong', { address: `192.0.2.${nth}`, device })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    expect((await logIn(world, email, password, { address: '192.0.2.99', device })).status).toBe(429);
  });

  it('gets no second set of guesses by logging in: the next token names the same device', async () => {
    const { world, email, device } = await started();
    const next = tokenIn(await logIn(world, email, password, { device }));
    expect(next).not.toBe('');
    expect(next.split('.')[0]).toBe(device.split('.')[0]);
    for (const each of [device, next, device, next, device])
      await logIn(world, email, 'wrong', { device: each });
    for (const each of [device, next])
      expect((await logIn(world, email, password, { device: each })).status).toBe(429);
  });

  it('begins again after a success', async () => {
    const { world, email, device } = await started();
    for (let round = 0; round < 3; round++) {
      for (let nth = 0; nth < 4; nth++) await logIn(world, email, 'wrong', { device });
      expect((await logIn(world, email, password, { device })).status).toBe(200);
    }
  });

  it('is counted with its network: many devices of one address are one', async () => {
    const { world, email, device } = await started();
    world.deps.hasher.verifyNothing = async () => false;
    for (let nth = 0; nth < 100; nth++) await logIn(world, `orang${nth}@klinik.example`, 'wrong');
    expect((await logIn(world, email, password, { device })).status).toBe(429);
    expect((await logIn(world, email, password, { device, address: '192.0.2.1' })).status).toBe(200);
  });

  it('goes on after its password was reset, however often it guessed before', async () => {
    const { world, email, device } = await started();
    for (let nth = 0; nth < 6; nth++) await logIn(world, email, 'wrong', { device });
    await world.request('/v1/auth/password/forgot', { body: { email } });
    await settleAll();
    const [token] = /[\w-]{43}/.exec(world.mails[0]?.text ?? '') ?? [];
    const fresh = 'sandi-baru-uji-18';
    const body = { token, password: fresh, password_confirmation: fresh };
    const reset = await world.request('/v1/auth/password/reset', { body, headers: headersOf({ device }) });
    expect(reset.status).toBe(200);
    expect((await logIn(world, email, fresh, { device })).status).toBe(200);
  });
});

describe('a device token', () => {
  let asked = 0;

  /** Whether the device gets by, from an address that is new each time, while the account is shut for strangers. */
  const isKnown = async (world: World, email: string, device: string): Promise<boolean> => {
    asked += 1;
    return (await logIn(world, email, password, { address: `198.18.1.${asked}`, device })).status === 200;
  };

  it('is valid for 180 days, and only for its own account', async () => {
    const { world, email, device } = await started();
    const other = await registerPatient(world);
    await attack(world, other.email);
    expect(await isKnown(world, other.email, device)).toBe(false);
    world.clock.now += 180 * day - 1;
    await attack(world, email);
    expect(await isKnown(world, email, device)).toBe(true);
    world.clock.now += 1;
    await attack(world, email);
    expect(await isKnown(world, email, device)).toBe(false);
  });

  it('is valid only for its own clinic, and also after a change of the secret', async () => {
    const { world, email, device } = await started();
    world.deps.tokenKeys = await createTokenKeys(
      await clinicKeys({ clinicId: 'klinik-lain', hasLegacyKeys: false }, secretsOf(secret)),
    );
    await attack(world, email);
    expect(await isKnown(world, email, device)).toBe(false);
    world.deps.tokenKeys = await createTokenKeys(
      await findKeys('a-newer-secret-that-is-used-by-tests-only-012345', secret),
    );
    await attack(world, email);
    expect(await isKnown(world, email, device)).toBe(true);
  });

  it('that was changed anywhere is the same as none, and nobody is headerNames of it', async () => {
    const { world, email, device } = await started();
    await attack(world, email);
    const [id = '', expires = '', signature = ''] = device.split('.');
    const later = (Number.parseInt(expires, 36) + day).toString(36);
    const tries = [
      `${id}.${later}.${signature}`,
      `${'A'.repeat(22)}.${expires}.${signature}`,
      `${id}.${expires}.${'A'.repeat(43)}`,
      `${device}.x`,
      `${device}, ${device}`,
      `${id}.${expires}`,
      'x'.repeat(5_000),
      '',
    ];
    for (const each of tries) expect([each, await isKnown(world, email, each)]).toEqual([each, false]);
    const bare = await logIn(world, 'siapa@klinik.example', 'wrong', { address: '198.18.0.1' });
    const withToken = await logIn(world, 'siapa@klinik.example', 'wrong', { address: '198.18.0.2', device });
    const headerNames = ({ headers }: typeof bare) =>
      [...headers].filter(([name]) => name !== 'x-request-id');
    expect(headerNames(withToken)).toEqual(headerNames(bare));
  });

  it('is returned only after a success, gives no access by itself, and is also returned without throttling', async () => {
    const { world, email, token, device } = await started();
    expect(tokenIn(await logIn(world, email, 'wrong', { device }))).toBe('');
    expect(tokenIn(await world.request('/v1/auth/profile', { token }))).toBe('');
    expect((await world.request('/v1/auth/profile', { token: device })).status).toBe(401);
    const open = await createWorld({ RATE_LIMIT: 'off' });
    const patient = await registerPatient(open);
    expect(tokenIn(await logIn(open, patient.email, password))).not.toBe('');
  });

  it('can be sent and read by the front ends that CORS names', async () => {
    const origin = 'https://app.klinik.example';
    const { world, email } = await started({ CORS_ORIGINS: origin });
    const asked = await world.request('/v1/auth/login', {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type,x-device-token',
      },
    });
    expect(asked.headers.get('Access-Control-Allow-Headers')).toContain('x-device-token');
    const body = { email, password };
    const answer = await world.request('/v1/auth/login', { body, headers: { Origin: origin } });
    expect(answer.headers.get('Access-Control-Expose-Headers')).toContain('X-Device-Token');
  });

  it('is in the reference: where it is answered, and where it may be sent', () => {
    const { paths } = JSON.parse(JSON.stringify(openApiDocument()));
    const sent = Object.keys(paths).filter((path) =>
      JSON.stringify(paths[path]).includes('#/components/parameters/DeviceToken'),
    );
    expect(sent.sort()).toEqual([
      '/v1/auth/code/verify',
      '/v1/auth/login',
      '/v1/auth/login/second-factor',
      '/v1/auth/password',
      '/v1/auth/password/reset',
      '/v1/auth/reauthenticate',
    ]);
    const answered = Object.keys(paths).filter((path) =>
      JSON.stringify(paths[path]).includes('#/components/headers/X-Device-Token'),
    );
    expect(answered.sort()).toEqual([
      '/v1/auth/code/verify',
      '/v1/auth/login',
      '/v1/auth/login/second-factor',
      '/v1/auth/register',
    ]);
  });
});
