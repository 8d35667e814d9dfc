import { generateHOTP } from '@oslojs/otp';
import { eq } from 'drizzle-orm';
import { deviceLogins, users } from '../../src/core/tables/accounts.ts';
import { secondFactors } from '../../src/core/tables/factors.ts';
import { newTotpSecret } from '../../src/modules/auth/factors/totp.ts';
import { password, registerPatient, type World } from './world.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

const fromBase32 = (text: string): Uint8Array => {
  const bits = [...text].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Uint8Array.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
};

/** The code of an authenticator app at an instant, for the secret as it is typed. */
export const appCode = (secret: string, now: number): string =>
  generateHOTP(fromBase32(secret), BigInt(Math.floor(now / 30_000)), 6);

export const factors = '/v1/auth/second-factors';

/** An answer's status and code, as in `401 second_factor_invalid`. */
export const codeOf = ({ status, body }: { status: number; body: { code?: string } }): string =>
  `${status} ${body.code ?? ''}`.trim();
export const refusedCode = '401 second_factor_invalid';

/** Sets an authenticator app up for the owner of the token, and lets its first code expire. */
export const enrol = async (world: World, token: string) => {
  const begun = await world.request(`${factors}/totp`, { method: 'POST', token });
  const { id, secret } = begun.body.data as { id: string; secret: string };
  const code = appCode(secret, world.clock.now);
  const { status, body } = await world.request(`${factors}/totp/confirm`, { token, body: { code } });
  if (status !== 200) throw new Error(`Not confirmed: ${JSON.stringify(body)}`);
  world.clock.now += 60_000;
  return { factorId: id, secret, recoveryCodes: body.data.recovery_codes as string[] };
};

/** A factor of a person, written directly; the clock stays. Its app shows the codes of `secret`. */
export const addFactor = async ({ deps, db, clock }: World, userId: string): Promise<string> => {
  const id = deps.newId();
  const secret = await deps.secretBox.seal(newTotpSecret());
  const times = { createdAt: clock.now, confirmedAt: clock.now };
  await db.batch([
    db.insert(secondFactors).values({ id, userId, kind: 'totp', name: '', secret, counter: 0, ...times }),
    db.update(users).set({ secondFactorAt: clock.now }).where(eq(users.id, userId)),
  ]);
  return id;
};

/** As if everybody who is logged in had just confirmed who they are. */
export const everybodyConfirms = ({ db, clock }: World) =>
  db.update(deviceLogins).set({ provedAt: clock.now });

/** A patient whose login takes a code. */
export const createGuarded = async (world: World) => {
  const person = await registerPatient(world);
  const factor = await enrol(world, person.token);
  const logIn = (given = password) =>
    world.request('/v1/auth/login', { body: { email: person.email, password: given } });
  const challenge = async (): Promise<string> => (await logIn()).body.challenge;
  const step = (body: object, headers: Record<string, string> = {}) =>
    world.request('/v1/auth/login/second-factor', { body, headers });
  const code = () => appCode(factor.secret, world.clock.now);
  return { ...person, ...factor, logIn, challenge, step, code };
};
