import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { newDeviceLogin } from '../../src/modules/auth/login/device-login.ts';
import { insertDeviceLogin } from '../../src/modules/auth/login/queries.ts';
import { createPerson } from '../support/people.ts';
import { createWorld, settleAll, type World } from '../support/world.ts';

/** The actions of a device, or of a thief with all of its tokens, in any order. */
type Step =
  | { kind: 'present'; which: number }
  | { kind: 'presentTogether'; which: number }
  | { kind: 'use'; which: number }
  | { kind: 'wait'; ms: number };

/** The tokens of one device login as they were given out; `rotatedAt` is when the next one was made. */
interface Model {
  alive: boolean;
  tokens: { refresh: string; access: string[]; rotatedAt: number | null }[];
  /** The newest generation of which an access token was accepted. */
  used: number;
}

const second = 1_000;
const hour = 3_600 * second;

/** The contract's result for a presented refresh token: its child, or the end of the device login. */
const expected = (model: Model, at: number, now: number): 'child' | 'end' => {
  const { rotatedAt } = model.tokens[at] as Model['tokens'][number];
  if (!model.alive) return 'end';
  if (rotatedAt === null) return 'child';
  if (at + 2 < model.tokens.length) return 'end';
  if (now - rotatedAt <= 10 * second) return 'child';
  return model.used <= at && now - rotatedAt <= 24 * hour ? 'child' : 'end';
};

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('present' as const), which: fc.nat(3) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('presentTogether' as const), which: fc.nat(1) }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('use' as const), which: fc.nat(2) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('wait' as const),
        ms: fc.constantFrom(
          1,
          4 * second,
          10 * second,
          10 * second + 1,
          hour,
          23 * hour,
          24 * hour,
          24 * hour + 1,
        ),
      }),
    },
  ),
  { minLength: 3, maxLength: 12 },
);

const logIn = async (world: World): Promise<Model> => {
  const { id } = await createPerson(world);
  const device = { deviceId: '', userAgent: '' };
  const made = await newDeviceLogin(world.deps, { id, role: 'patient' }, device, world.clock.now);
  await world.db.batch([...insertDeviceLogin(world.db, made.login, made.token)]);
  const { refresh_token: refresh, access_token: access } = made.tokens;
  return { alive: true, used: 0, tokens: [{ refresh, access: [access], rotatedAt: null }] };
};

const present = async (world: World, model: Model, at: number) => {
  const token = model.tokens[at] as Model['tokens'][number];
  const verdict = expected(model, at, world.clock.now);
  const answer = await world.request('/v1/auth/refresh', { body: { refresh_token: token.refresh } });
  expect(answer.status).toBe(verdict === 'child' ? 200 : 401);
  if (verdict === 'end') {
    model.alive = false;
    return;
  }
  const { refresh_token: refresh, access_token: access } = answer.body.data;
  token.rotatedAt ??= world.clock.now;
  const child = model.tokens[at + 1];
  if (child === undefined) model.tokens.push({ refresh, access: [access], rotatedAt: null });
  else {
    expect(refresh).toBe(child.refresh);
    child.access.push(access);
  }
};

const use = async (world: World, model: Model, at: number) => {
  // Short of its own end, so that the device login alone decides.
  const token = model.tokens[at]?.access.at(-1);
  const { status } = await world.request('/v1/auth/profile', { ...(token !== undefined && { token }) });
  await settleAll();
  if (model.alive) model.used = Math.max(model.used, status === 200 ? at : 0);
  else expect(status).toBe(401);
};

const take = async (world: World, model: Model, step: Step): Promise<void> => {
  // Counted from the newest one back.
  const at = 'which' in step ? Math.max(0, model.tokens.length - 1 - step.which) : 0;
  if (step.kind === 'wait') world.clock.now += step.ms;
  else if (step.kind === 'use') await use(world, model, at);
  else if (step.kind === 'present') await present(world, model, at);
  else {
    const refresh_token = model.tokens[at]?.refresh;
    const ask = () => world.request('/v1/auth/refresh', { body: { refresh_token } });
    const verdict = expected(model, at, world.clock.now);
    const answers = await Promise.all([ask(), ask(), ask(), ask()]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([verdict === 'child' ? 200 : 401]));
    expect(new Set(answers.map(({ body }) => body.data?.refresh_token)).size).toBe(1);
    await present(world, model, at);
  }
};

it('a refresh token gives its one child or ends the device login, whatever is presented and used in between', async () => {
  const world = await createWorld({ ACCESS_TOKEN_TTL_SECONDS: '86400' });
  const seen = { child: 0, end: 0 };
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const model = await logIn(world);
      for (const step of taken) await take(world, model, step);
      seen[model.alive ? 'child' : 'end'] += 1;
      const { status } = await world.request('/v1/auth/refresh', {
        body: { refresh_token: model.tokens.at(-1)?.refresh },
      });
      expect(status).toBe(model.alive ? 200 : 401);
    }),
    { numRuns: 120 },
  );
  // Neither way is rare.
  expect(Math.min(seen.child, seen.end)).toBeGreaterThan(15);
});
