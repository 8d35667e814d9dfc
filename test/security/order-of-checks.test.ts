import { describe, expect, it } from 'vitest';
import { type Endpoint, listFailures } from '../../src/core/endpoint/endpoint.ts';
import { catalogue, type ErrorCode } from '../../src/core/endpoint/errors.ts';
import { addDevice } from '../support/people.ts';
import {
  createScene,
  endpoints,
  nameOf,
  pathFor,
  refusedRoles,
  type Scene,
  tokenFor,
} from '../support/scene.ts';
import type { Sent } from '../support/world.ts';

interface Wrong {
  code: ErrorCode;
  /** Whether a request to this endpoint can be wrong in this way. */
  applies: (contract: Endpoint) => boolean;
  query?: string;
  sent?: Sent;
}

const takesBody = ({ method }: Endpoint) => method !== 'get';

/** The possible faults of a request, whoever sends it. */
const wrongs: Readonly<Record<string, Wrong>> = {
  'malformed JSON': { code: 'malformed_json', applies: takesBody, sent: { raw: '{' } },
  'a malformed Idempotency-Key': {
    code: 'invalid_header',
    applies: ({ idempotent }) => idempotent === true,
    sent: { body: {}, headers: { 'Idempotency-Key': 'two words' } },
  },
  'a malformed parameter': {
    code: 'invalid_query',
    applies: ({ query }) => query !== undefined && 'limit' in query().shape,
    query: '?limit=0',
  },
  'a parameter that nobody knows': {
    code: 'invalid_query',
    applies: ({ ignoresUnknownQuery }) => ignoresUnknownQuery !== true,
    query: '?tidak_dikenal=1',
  },
  'a cursor that is none': {
    code: 'invalid_query',
    applies: ({ query }) => query !== undefined && 'cursor' in query().shape,
    query: '?cursor=W10x',
  },
  'unacceptable fields': {
    code: 'validation_failed',
    applies: ({ body }) => body !== undefined,
    sent: { raw: '[]' },
  },
};

interface Gate {
  code: ErrorCode;
  applies: (contract: Endpoint) => boolean;
  ask: (scene: Scene, contract: Endpoint) => { path: string; token: string | undefined };
}

const revokedToken = async (scene: Scene): Promise<string> => {
  const { token } = await addDevice(scene.world, scene.people.admin.id, 'admin');
  await scene.world.request('/v1/auth/logout', { method: 'POST', token });
  return token;
};

const isGuarded = ({ access }: Endpoint) => access !== 'public';

const gatesOf = (revoked: string): Readonly<Record<string, Gate>> => ({
  'a revoked token': {
    code: 'unauthenticated',
    applies: isGuarded,
    ask: (scene, contract) => ({ path: pathFor(scene, contract), token: revoked }),
  },
  'the wrong role': {
    code: 'forbidden',
    applies: (contract) => refusedRoles(contract).length > 0,
    ask: (scene, contract) => {
      const [role = 'patient'] = refusedRoles(contract);
      return { path: pathFor(scene, contract), token: scene.people[role].token };
    },
  },
  "somebody else's or no record": {
    code: 'not_found',
    applies: (contract) => isGuarded(contract) && contract.params !== undefined,
    ask: (scene, contract) => ({
      path: pathFor(scene, contract, crypto.randomUUID()),
      token: tokenFor(scene, contract),
    }),
  },
});

const ask = (scene: Scene, contract: Endpoint, path: string, token: string | undefined, wrong: Wrong) =>
  scene.world.request(`${path}${wrong.query ?? ''}`, {
    method: contract.method.toUpperCase(),
    token,
    ...wrong.sent,
  });

describe.each(Object.keys(gatesOf('')))('%s is answered for', (gateName) => {
  it.each(Object.keys(wrongs))('before %s, at every route', async (wrongName) => {
    const scene = await createScene();
    const gate = gatesOf(await revokedToken(scene))[gateName] as Gate;
    const wrong = wrongs[wrongName] as Wrong;
    const met: string[] = [];
    for (const contract of endpoints.filter((one) => gate.applies(one) && wrong.applies(one))) {
      const { path, token } = gate.ask(scene, contract);
      const { body } = await ask(scene, contract, path, token, wrong);
      met.push(`${nameOf(contract)} ${body.code}`);
    }
    const others = met.filter((line) => !line.endsWith(` ${gate.code}`));
    expect(others).toEqual([]);
    expect(met.length).toBeGreaterThan(0);
  });
});

describe('what is wrong with a request', () => {
  it.each(Object.keys(wrongs))('is answered to a caller who may make the request: %s', async (wrongName) => {
    const scene = await createScene();
    const wrong = wrongs[wrongName] as Wrong;
    for (const contract of endpoints.filter(wrong.applies)) {
      const token = tokenFor(scene, contract);
      const { status, body } = await ask(scene, contract, pathFor(scene, contract), token, wrong);
      expect(`${nameOf(contract)} ${status} ${body.code}`).toBe(
        `${nameOf(contract)} ${catalogue[wrong.code].status} ${wrong.code}`,
      );
      expect(listFailures(contract)).toContain(wrong.code);
    }
  });

  it('is answered in the order of the contract: a malformed header before the fields', async () => {
    const scene = await createScene();
    const headers = { 'Idempotency-Key': 'two words' };
    for (const contract of endpoints.filter(({ idempotent, body }) => idempotent && body !== undefined)) {
      const token = tokenFor(scene, contract);
      const sent = { method: 'POST', token, raw: '[]', headers };
      const { body } = await scene.world.request(pathFor(scene, contract), sent);
      expect(`${nameOf(contract)} ${body.code}`).toBe(`${nameOf(contract)} invalid_header`);
    }
  });

  it.each([
    ['413 for a body that is too large', { raw: ' '.repeat(65_537) }, 'payload_too_large'],
    [
      '415 for a body that is no JSON',
      { raw: 'x', headers: { 'Content-Type': 'text/plain' } },
      'unsupported_media_type',
    ],
  ] as const)('is told before anybody is asked for a token: %s', async (_name, sent, code) => {
    const scene = await createScene();
    for (const contract of endpoints.filter(takesBody)) {
      const method = contract.method.toUpperCase();
      const { body } = await scene.world.request(pathFor(scene, contract), { method, ...sent });
      expect(`${nameOf(contract)} ${body.code}`).toBe(`${nameOf(contract)} ${code}`);
    }
  });
});
