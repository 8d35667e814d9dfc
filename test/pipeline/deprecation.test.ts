import { HonoBase } from 'hono/hono-base';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { endpoint } from '../../src/core/endpoint/endpoint.ts';
import type { AppEnv } from '../../src/core/http/context.ts';
import { failureAnswer } from '../../src/core/http/failed.ts';
import { observer } from '../../src/core/http/observed.ts';
import { buildOperation } from '../../src/interface/reference/operations.ts';
import { mounter } from '../../src/pipeline/mount.ts';
import { createWorld } from '../support/world.ts';

const contract = endpoint({
  method: 'get',
  path: '/v1/old',
  tag: 'system',
  summary: 'Something that will end',
  access: 'public',
  deprecated: { since: '2026-12-01', ends: '2027-06-01', instead: '`GET /v1/new`' },
  query: () => z.object({}),
  returns: { 200: { description: 'Still there.' } },
  fails: [],
});

it('each answer of an operation that will end says since when and until when, a failure too', async () => {
  const { deps } = await createWorld();
  const app = new HonoBase<AppEnv>({ router: new RegExpRouter() });
  const observe = observer(
    () => deps,
    failureAnswer(() => deps.log),
  );
  mounter(
    (method, path, handle, format, headers) =>
      void app.on([method], [path], observe(path, handle, format, headers)),
  )(contract, { answer: () => ({ status: 200 }) });
  for (const [path, status] of [
    ['/v1/old', 200],
    ['/v1/old?unknown=1', 400],
  ] as const) {
    const answer = await app.request(path, undefined, { deps });
    expect([answer.status, answer.headers.get('Deprecation'), answer.headers.get('Sunset')]).toEqual([
      status,
      '@1796083200',
      'Tue, 01 Jun 2027 00:00:00 GMT',
    ]);
    expect(answer.headers.get('Link')).toContain('rel="deprecation"');
  }
});

it('the document says so', () => {
  // biome-ignore lint/suspicious/noExplicitAny: an operation of the document.
  const operation: any = buildOperation('GetOld', contract, { schemas: {}, responses: {} } as never);
  expect(operation).toMatchObject({ deprecated: true, 'x-sunset': '2027-06-01' });
  expect(operation.description).toContain('ends on 2027-06-01. Use `GET /v1/new` instead.');
  expect(Object.keys(operation.responses[200].headers)).toEqual(
    expect.arrayContaining(['Deprecation', 'Sunset']),
  );
});
