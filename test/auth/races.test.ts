import { describe, expect, it } from 'vitest';
import { deviceLogins, securityEvents } from '../../src/core/tables/accounts.ts';
import { createWorld, password, registerPatient, type World } from '../support/world.ts';

const next = 'sandi-yang-baru-42';
const twenty = Array.from({ length: 20 }, (_, nth) => nth);

const logIn = (world: World, email: string, typed: string) =>
  world.request('/v1/auth/login', { body: { email, password: typed } });

const refresh = (world: World, refresh_token: string) =>
  world.request('/v1/auth/refresh', { body: { refresh_token } });

const reset = (world: World, token: string, password = next) =>
  world.request('/v1/auth/password/reset', { body: { token, password, password_confirmation: password } });

const profile = async (world: World, token: string) =>
  (await world.request('/v1/auth/profile', { token })).status;

/** A patient who forgot the password, and the token from the mail. */
const forgetful = async () => {
  const world = await createWorld();
  const patient = await registerPatient(world);
  await world.request('/v1/auth/password/forgot', { body: { email: patient.email } });
  await Promise.all(world.background.splice(0));
  const token = /\n([\w-]{43})\n/.exec(world.mails[0]?.text ?? '')?.[1] ?? '';
  return { world, patient, token };
};

const liveLogins = async (world: World) =>
  (await world.db.select().from(deviceLogins)).filter(({ revokedAt }) => revokedAt === null);

describe('a reset token used 20 times at once', () => {
  it('sets one password, records one event and sends one mail', async () => {
    const { world, patient, token } = await forgetful();
    const answers = await Promise.all(twenty.map((nth) => reset(world, token, `${next}-${nth}`)));
    await Promise.all(world.background.splice(0));
    const winners = twenty.filter((nth) => answers[nth]?.status === 200);
    expect(winners).toHaveLength(1);
    const refusals = answers.filter(({ status }) => status !== 200);
    expect(refusals.map(({ body }) => body.code)).toEqual(Array(19).fill('reset_token_invalid'));
    const opened = await Promise.all(
      twenty.map(async (nth) => (await logIn(world, patient.email, `${next}-${nth}`)).status),
    );
    expect(twenty.filter((nth) => opened[nth] === 200)).toEqual(winners);
    const recorded = (await world.db.select().from(securityEvents)).filter(
      ({ type }) => type === 'password_reset',
    );
    expect(recorded).toHaveLength(1);
    expect(world.mails.map(({ subject }) => subject)).toEqual([
      'Atur ulang kata sandi Anda',
      'Kata sandi Anda telah diubah',
    ]);
  });
});

describe('what is under way while a login ends', () => {
  const children = async (world: World, refreshToken: string, ending: () => Promise<{ status: number }>) => {
    const [ended, ...answers] = await Promise.all([
      ending(),
      ...twenty.map(() => refresh(world, refreshToken)),
    ]);
    expect(ended?.status).toBe(200);
    return answers.filter(({ status }) => status === 200).map(({ body }) => body.data);
  };

  it('is ended with it: no child of 20 refreshes outlives a logout', async () => {
    const world = await createWorld();
    const { token, refreshToken } = await registerPatient(world);
    const logOut = () => world.request('/v1/auth/logout', { method: 'POST', token });
    for (const child of await children(world, refreshToken, logOut)) {
      expect(await profile(world, child.access_token)).toBe(401);
      expect((await refresh(world, child.refresh_token)).status).toBe(401);
    }
    expect(await liveLogins(world)).toEqual([]);
  });

  it('is ended with it: no child of 20 refreshes outlives a reset of the password', async () => {
    const { world, patient, token } = await forgetful();
    for (const child of await children(world, patient.refreshToken, () => reset(world, token))) {
      expect(await profile(world, child.access_token)).toBe(401);
      expect((await refresh(world, child.refresh_token)).status).toBe(401);
    }
    expect(await liveLogins(world)).toEqual([]);
  });

  it('a login with the old password opens nothing once the reset is done', async () => {
    const { world, patient, token } = await forgetful();
    const { verify } = world.deps.hasher;
    world.deps.hasher.verify = async (phc, typed) => {
      const matches = await verify(phc, typed);
      world.deps.hasher.verify = verify;
      await reset(world, token);
      return matches;
    };
    expect((await logIn(world, patient.email, password)).status).toBe(401);
    expect(await liveLogins(world)).toEqual([]);
  });

  it('a change of the password by a device that was ended meanwhile changes nothing', async () => {
    const world = await createWorld();
    const { token, email } = await registerPatient(world);
    const { verify } = world.deps.hasher;
    world.deps.hasher.verify = async (phc, typed) => {
      const matches = await verify(phc, typed);
      world.deps.hasher.verify = verify;
      await world.request('/v1/auth/logout', { method: 'POST', token });
      return matches;
    };
    const body = { current_password: password, password: next, password_confirmation: next };
    expect((await world.request('/v1/auth/password', { token, body })).status).toBe(422);
    expect((await logIn(world, email, next)).status).toBe(401);
    expect((await logIn(world, email, password)).status).toBe(200);
  });
});
