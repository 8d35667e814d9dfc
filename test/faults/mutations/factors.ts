import { eq } from 'drizzle-orm';
import { users } from '../../../src/core/tables/accounts.ts';
import { secondFactors } from '../../../src/core/tables/factors.ts';
import { maxPasskeys } from '../../../src/modules/auth/passkeys/rules.ts';
import { createPasskey, type SoftPasskey } from '../../support/authenticator.ts';
import { appCode } from '../../support/factors.ts';
import { createPerson } from '../../support/people.ts';
import { password } from '../../support/world.ts';
import { openStress, report } from './stress.ts';
import { traces } from './unruly-database.ts';

// One code, one recovery code, one passkey and one challenge that many use at once, and admins who shut each other's accounts, over a
// database whose round trips take their time and whose answers get lost.

const stress = await openStress({});
const { app, db, world, clock, random, deps } = stress;
const violations: string[] = [];
const tally = { acknowledged: 0, refused: 0 };

interface Answered {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a stress reads whatever JSON came.
  body: any;
}

const ask = async (path: string, body?: object, token?: string): Promise<Answered> => {
  const headers = {
    'Content-Type': 'application/json',
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  };
  const sent = { method: 'POST', headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const trace = { firstSent: 0, lastSent: 0 };
  const response = await traces.run(trace, () => app.request(`http://localhost${path}`, sent));
  const answer = { status: response.status, body: (await response.json()) as Answered['body'] };
  if (answer.status >= 500 && answer.status !== 503) violations.push(`${path} was answered ${answer.status}`);
  if (answer.status < 300) tally.acknowledged += 1;
  else tally.refused += 1;
  return answer;
};

/** Asks until it is answered with success. */
const surely = async (path: string, body?: object, token?: string): Promise<Answered['body']> => {
  for (let tries = 1; tries <= 40; tries++) {
    const { status, body: answer } = await ask(path, body, token);
    if (status < 300) return answer.data;
    clock.now += 30_000;
  }
  throw new Error(`${path} never succeeded`);
};

const passwordHash = await deps.hasher.hash(password);
const path = '/v1/auth/second-factors';

const guarded = async () => {
  const person = await createPerson(world);
  await db.update(users).set({ passwordHash }).where(eq(users.id, person.id));
  const { secret } = await surely(`${path}/totp`, undefined, person.token);
  return { ...person, secret, codes: await confirm(person.token, secret) };
};

/** Confirms the app; where the answer was lost after it was done, new recovery codes are made instead. */
const confirm = async (token: string, secret: string): Promise<string[]> => {
  for (let tries = 1; tries <= 20; tries++) {
    const code = appCode(secret, clock.now);
    const confirmed = await ask(`${path}/totp/confirm`, { code }, token);
    clock.now += 90_000;
    if (confirmed.status < 300) return confirmed.body.data.recovery_codes;
    const anew = await ask(`${path}/recovery-codes`, undefined, token);
    if (anew.status < 300) return anew.body.data.recovery_codes;
  }
  throw new Error('An app was never confirmed.');
};

const challengeOf = async (email: string): Promise<string> => {
  for (let tries = 1; tries <= 40; tries++) {
    const { body } = await ask('/v1/auth/login', { email, password });
    if (body.code === 'second_factor_required') return body.challenge;
  }
  throw new Error('The password was never taken.');
};

/** At most one of them may be let in. */
const atMostOne = async (what: string, bodies: readonly object[]): Promise<void> => {
  const answers = await Promise.all(bodies.map((body) => ask('/v1/auth/login/second-factor', body)));
  const passed = answers.filter(({ status }) => status === 200).length;
  if (passed > 1) violations.push(`${what} let ${passed} in`);
};

const people = [await guarded(), await guarded(), await guarded()];

const useAtOnce = async ({ email, secret, codes }: (typeof people)[number]): Promise<void> => {
  const challenges = await Promise.all([1, 2, 3].map(() => challengeOf(email)));
  const code = appCode(secret, clock.now);
  const [challenge = ''] = challenges;
  if (random() < 0.4)
    return atMostOne(
      'a code',
      challenges.map((one) => ({ challenge: one, code })),
    );
  const [first, second] = [codes.pop(), codes.at(-1)];
  if (random() < 0.5)
    return atMostOne(
      'a recovery code',
      challenges.map((one) => ({ challenge: one, recovery_code: first })),
    );
  const proofs = [{ code }, { recovery_code: first }, { recovery_code: second }];
  await atMostOne(
    'a challenge',
    proofs.map((proof) => ({ challenge, ...proof })),
  );
  codes.pop();
};

const holder = async () => {
  const person = await createPerson(world);
  await db.update(users).set({ passwordHash }).where(eq(users.id, person.id));
  const passkeys = [await createPasskey(), await createPasskey('ES256', false)] as const;
  for (const passkey of passkeys) await add(person.token, passkey);
  return { ...person, passkeys };
};

/** Asks for options until there are some, and adds the passkey by them, if its answer is not lost. */
const add = async (token: string, passkey: SoftPasskey): Promise<Answered> => {
  const { challenge, public_key } = await surely(`${path}/passkeys/options`, undefined, token);
  return ask(`${path}/passkeys`, { challenge, credential: await passkey.create(public_key) }, token);
};

/** A passkey and its copies, which say the same count; and one answer to a question who is there, sent often. */
const copyAtOnce = async (): Promise<void> => {
  const { email, token, passkeys } = await holder();
  const asked = async () => {
    for (let tries = 1; tries <= 40; tries++) {
      const { body } = await ask('/v1/auth/login', { email, password });
      if (body.code === 'second_factor_required') return body;
    }
    throw new Error('The password was never taken.');
  };
  const [first, second] = [await asked(), await asked()];
  const answer = async (one: Answered['body']) => ({
    challenge: one.challenge,
    assertion: await passkeys[0].get(one.passkey ?? { challenge: '' }, { counter: 70 }),
  });
  await atMostOne('a copied passkey', [await answer(first), await answer(second)]);
  const begun = await ask('/v1/auth/reauthenticate/options', undefined, token);
  if (begun.status !== 200) return;
  const { challenge, passkey } = begun.body.data;
  const body = { challenge, assertion: await passkeys[1].get(passkey) };
  clock.now += 1_000;
  const answers = await Promise.all([1, 2, 3].map(() => ask('/v1/auth/reauthenticate', body, token)));
  const passed = answers.filter(({ status }) => status === 200).length;
  if (passed > 1) violations.push(`an answer of a passkey confirmed ${passed} times`);
};

const addAtOnce = async (): Promise<void> => {
  const { id, token } = await createPerson(world);
  await add(token, await createPasskey());
  const begun = [];
  for (let nth = 0; nth < maxPasskeys + 2; nth++)
    begun.push(await surely(`${path}/passkeys/options`, undefined, token));
  const bodies = await Promise.all(
    begun.map(async ({ challenge, public_key }) => ({
      challenge,
      credential: await (await createPasskey()).create(public_key),
    })),
  );
  await Promise.all(bodies.map((body) => ask(`${path}/passkeys`, body, token)));
  const own = await db.select().from(secondFactors).where(eq(secondFactors.userId, id));
  if (own.length > maxPasskeys) violations.push(`an account has ${own.length} passkeys`);
};

const shutAtOnce = async (): Promise<void> => {
  await db.update(users).set({ role: 'patient' }).where(eq(users.role, 'admin'));
  const admins = [await createPerson(world, 'admin'), await createPerson(world, 'admin')] as const;
  const [one, other] = admins;
  const shut = (id: string, token: string) => ask(`/v1/admin/people/${id}/deactivate`, undefined, token);
  await Promise.all([shut(one.id, other.token), shut(other.id, one.token), shut(one.id, one.token)]);
  const left = await db.select().from(users).where(eq(users.role, 'admin'));
  if (left.every(({ deactivatedAt }) => deactivatedAt !== null)) violations.push('no admin is left');
};

const round = async (): Promise<string[]> => {
  clock.now += 90_000;
  for (const [at, { codes }] of people.entries()) if (codes.length < 2) people[at] = await guarded();
  await Promise.all(people.map(useAtOnce));
  for (let pairs = 0; pairs < 3; pairs++) await shutAtOnce();
  await copyAtOnce();
  await addAtOnce();
  return violations;
};

await report(stress, round, () => ({ ...tally, lost: stress.tally.lost }));
