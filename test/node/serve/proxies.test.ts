import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { introduction } from '../../../src/interface/reference/words.ts';
import { createClientAddressReader } from '../../../src/runtime/node/serve/client-address.ts';
import { onlyForThisMachine } from '../../../src/runtime/node/serve/demo-guard.ts';
import { proxyHeaders } from '../../../src/runtime/node/serve/proxy-headers.ts';
import { isOpenToOthers, parseNodeSettings } from '../../../src/runtime/node/settings.ts';
import { createWorld } from '../../support/world.ts';

const bindings = { incoming: { socket: { remoteAddress: '10.0.0.9' } } };
const addressOf = (trusted: string, forwarded?: string) => {
  const headers = forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded };
  const { TRUST_PROXY } = parseNodeSettings({ TRUST_PROXY: trusted });
  return createClientAddressReader(TRUST_PROXY)(new Request('http://localhost/', { headers }), bindings);
};

describe('the client’s address', () => {
  it.each([
    ['off', '192.0.2.1', '10.0.0.9'],
    ['0', '192.0.2.1', '10.0.0.9'],
    ['on', '192.0.2.1', '192.0.2.1'],
    ['1', '198.51.100.1, 192.0.2.1', '192.0.2.1'],
    ['2', '203.0.113.5, 198.51.100.1, 192.0.2.1', '198.51.100.1'],
    ['3', '203.0.113.5,198.51.100.1 ,192.0.2.1', '203.0.113.5'],
    ['2', '192.0.2.1', '192.0.2.1'],
    ['2', ' , ,', '10.0.0.9'],
    ['2', undefined, '10.0.0.9'],
  ])('with TRUST_PROXY=%s and X-Forwarded-For %j is %s', (trusted, forwarded, address) => {
    expect(addressOf(trusted, forwarded)).toBe(address);
  });

  it.each(['11', '-1', '1.5', 'yes', 'true'])(
    'is not known by a setting that says no number: %s',
    (value) => {
      expect(() => parseNodeSettings({ TRUST_PROXY: value })).toThrow('TRUST_PROXY is not acceptable');
    },
  );
});

describe('a service with the demo’s public passwords', () => {
  it.each([
    [{}, false],
    [{ HOST: '::1' }, false],
    [{ HOST: '0.0.0.0' }, true],
    [{ NODE_ENV: 'production' }, true],
    [{ TRUST_PROXY: 'on' }, true],
    [{ TRUST_PROXY: '2' }, true],
  ])('counts as open to others by its settings: %j is %s', (settings, open) => {
    expect(isOpenToOthers(parseNodeSettings(settings))).toBe(open);
  });

  it('answers this machine, and refuses whatever a proxy hands on in the envelope of all failures', async () => {
    const { app } = await createWorld();
    const server = serve({ fetch: onlyForThisMachine(app.fetch), port: 0, hostname: '127.0.0.1' });
    onTestFinished(() => void server.close());
    await new Promise((done) => server.once('listening', done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/health`;
    expect((await fetch(url)).status).toBe(200);
    for (const name of proxyHeaders)
      expect([name, (await fetch(url, { headers: { [name]: '127.0.0.1' } })).status]).toEqual([name, 403]);
    const headers = {
      'X-Forwarded-Host': 'janji.example',
      'Accept-Language': 'en',
      'X-Request-Id': 'asked-so',
    };
    const answer = await fetch(url, { headers });
    expect(answer.headers.get('X-Request-Id')).toBe('asked-so');
    expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(await answer.json()).toEqual({
      status: 'error',
      code: 'demo_not_public',
      message:
        'This service holds demo data with public passwords and serves this machine alone (DEMO=on opens it).',
      request_id: 'asked-so',
    });
    expect(introduction).toContain('403 `demo_not_public`');
  });
});
