import { describe, expect, it } from 'vitest';
import { createClinic } from '../support/clinic-people.ts';
import { holdToContract } from '../support/contract.ts';
import { createWorld } from '../support/world.ts';

const path = '/v1/auth/profile';

const seen = async () => {
  const world = await createWorld();
  const { patient } = await createClinic(world);
  const { status, headers, body } = await world.request(path, { token: patient.token });
  return { method: 'GET', path, status, headers: new Headers(headers), body };
};
type Answer = Awaited<ReturnType<typeof seen>>;

const failure = { status: 'error', code: 'slot_full', message: 'Penuh.', request_id: 'permintaan-1' };

const wrongs: [what: string, change: (answer: Answer) => Partial<Answer>][] = [
  ['a field that is not documented', ({ body }) => ({ body: { ...body, data: { ...body.data, age: 41 } } })],
  ['a field that is missing', ({ body }) => ({ body: { ...body, data: { user: body.data.user } } })],
  ['a field of another type', ({ body }) => ({ body: { ...body, data: { ...body.data, role: 7 } } })],
  ['a status that is not documented', () => ({ status: 202 })],
  ['a failure that is not documented', () => ({ status: 409, body: failure })],
  [
    'a header that is not documented',
    ({ headers }) => {
      headers.set('X-Powered-By', 'Janji');
      return {};
    },
  ],
  [
    'a promised header that is missing',
    ({ headers }) => {
      headers.delete('Cache-Control');
      return {};
    },
  ],
  ['an envelope with a member that is not documented', ({ body }) => ({ body: { ...body, took_ms: 3 } })],
  [
    'a failure without its request id',
    () => ({ status: 401, body: { ...failure, code: 'unauthenticated', request_id: undefined } }),
  ],
];

describe('what every test holds answers against notices', () => {
  for (const [what, change] of wrongs)
    it(what, async () => {
      const answer = await seen();
      expect(() => holdToContract(answer)).not.toThrow();
      expect(() => holdToContract({ ...answer, ...change(answer) })).toThrow('breaks its contract');
    });
});
