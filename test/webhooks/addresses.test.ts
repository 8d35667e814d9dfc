import { describe, expect, it } from 'vitest';
import { mayReceive } from '../../src/modules/webhooks/delivery/rules.ts';
import { createPerson } from '../support/people.ts';
import { createWorld } from '../support/world.ts';

const inside = [
  'http://hooks.klinik.example/',
  'ftp://hooks.klinik.example/',
  'https://user@hooks.klinik.example/',
  'https://:secret@hooks.klinik.example/',
  'https://localhost/',
  'https://LOCALHOST./',
  'https://api.localhost/',
  'https://printer/',
  'https://printer.local/',
  'https://db.internal./',
  'https://metadata.google.internal/',
  'https://nas.home.arpa/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0177.0.0.1/',
  'https://127.0.0.1./',
  'https://10.0.0.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://8.8.8.8/',
  'https://[::1]/',
  'https://[::]/',
  'https://[fd00::1]/',
  'https://[fe80::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:a9fe:a9fe]/',
  'not a url',
  '',
];

describe('a webhook address', () => {
  it.each(inside)('%j is refused', (url) => expect(mayReceive(url, false)).toBe(false));

  it.each([
    'https://hooks.klinik.example/janji?x=1',
    'https://klinik.co.id:8443/',
    'https://xn--mnchen-3ya.de/',
  ])('%j is taken', (url) => expect(mayReceive(url, false)).toBe(true));

  it('may be inside the network where the setting says so, still without credentials', () => {
    expect(mayReceive('http://127.0.0.1:9000/', true)).toBe(true);
    expect(mayReceive('http://a:b@127.0.0.1:9000/', true)).toBe(false);
  });

  it('is checked when it is added and when it is changed', async () => {
    const world = await createWorld();
    const { token } = await createPerson(world, 'admin');
    const body = { url: 'https://127.0.0.1/' };
    const refused = await world.request('/v1/admin/webhooks', { token, body });
    expect(refused).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
    expect(refused.body.errors.url).toHaveLength(1);
    const added = await world.request('/v1/admin/webhooks', { token, body: { url: 'https://a.example/' } });
    const path = `/v1/admin/webhooks/${added.body.data.id}`;
    expect((await world.request(path, { method: 'PATCH', token, body })).status).toBe(422);
  });
});
