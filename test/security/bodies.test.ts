import { describe, expect, it } from 'vitest';
import { createPerson } from '../support/people.ts';
import { createScene, endpoints, nameOf, pathFor, tokenFor } from '../support/scene.ts';
import { createWorld } from '../support/world.ts';

const limit = 65_536;
const writes = endpoints.filter(({ method }) => method !== 'get');

const inChunks = (text: string) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      const all = new TextEncoder().encode(text);
      for (let at = 0; at < all.length; at += 8_000) controller.enqueue(all.slice(at, at + 8_000));
      controller.close();
    },
  });

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('a body that is too large', () => {
  it('is refused by every route that takes one, for every caller', async () => {
    const scene = await createScene();
    for (const contract of writes) {
      const sent = { method: contract.method.toUpperCase(), raw: ' '.repeat(limit + 1) };
      const { status } = await scene.world.request(pathFor(scene, contract), sent);
      expect(`${nameOf(contract)} ${status}`).toMatch(/ 413$/);
    }
  });

  it('is refused in chunks of unknown number', async () => {
    const world = await createWorld();
    const { token } = await createPerson(world);
    const request = new Request('http://localhost/v1/bookings', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: inChunks(`{"notes":"${'a'.repeat(limit)}"}`),
      duplex: 'half',
    } as RequestInit);
    expect((await world.app.fetch(request)).status).toBe(413);
  });

  it('is not read to its end: an endless one is refused as well', async () => {
    const world = await createWorld();
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1_000;
        controller.enqueue(new Uint8Array(1_000).fill(0x20));
      },
    });
    const request = new Request('http://localhost/v1/auth/login', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: endless,
      duplex: 'half',
    } as RequestInit);
    expect((await world.app.fetch(request)).status).toBe(413);
    expect(sent).toBeLessThan(10 * limit);
  });
});

describe('a body that breaks off', () => {
  it.each([{}, { 'Content-Length': '400' }])('is the fault of who sent it: %j', async (length) => {
    const world = await createWorld();
    const cut = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{"email":')),
      pull: (controller) => controller.error(new Error('aborted')),
    });
    const request = new Request('http://localhost/v1/auth/login', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...length },
      body: cut,
      duplex: 'half',
    } as RequestInit);
    const answer = await world.app.fetch(request);
    expect([answer.status, (await answer.json()).code]).toEqual([400, 'malformed_json']);
  });
});

describe('a body of a hostile shape', () => {
  const shapes: [name: string, raw: BodyInit][] = [
    ['nested 30,000 levels deep', nested(30_000)],
    ['objects nested 9,000 levels deep', `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`],
    ['a number of 60,000 digits', `{"email":${'9'.repeat(60_000)}}`],
    ['a number beyond all numbers', '{"email":1e999,"password":-1e999}'],
    ['6,000 keys', `{${Array.from({ length: 6_000 }, (_, at) => `"k${at}":1`).join()}}`],
    ['6,000 times one key', `{${Array.from({ length: 6_000 }, () => '"email":1').join()}}`],
    ['__proto__ as the whole', '{"__proto__":{"email":"a@klinik.example","password":"x"}}'],
    ['fields that are objects with toString', '{"email":{"toString":1},"password":{"valueOf":1}}'],
    ['fields that are lists', '{"email":["a@klinik.example"],"password":["x"]}'],
    ['true', 'true'],
    ['a string', '"{}"'],
    ['a byte order mark before it', '\ufeff{"email":1}'],
    ['two values', '{} {}'],
    ['comments', '{/* */}'],
    ['single quotes', "{'email':'a'}"],
    ['NaN', '{"email":NaN}'],
    ['control characters in a string', '{"email":"a\nb"}'],
    ['bytes that are no UTF-8', new Uint8Array([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x7d])],
    ['a surrogate as UTF-8', new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['an overlong slash', new Uint8Array([0x22, 0xc0, 0xaf, 0x22])],
    ['UTF-16', new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00])],
    ['gzip', new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xab, 0xae, 5, 0])],
  ];
  it.each(shapes)('%s is refused by every route that takes fields', async (_name, raw) => {
    const scene = await createScene();
    for (const contract of writes.filter(({ body, bodyOptional }) => body && !bodyOptional)) {
      const sent = { method: contract.method.toUpperCase(), token: tokenFor(scene, contract), raw };
      const { status } = await scene.world.request(pathFor(scene, contract), sent);
      expect(`${nameOf(contract)} ${status}`).toMatch(/ (400|415|422)$/);
    }
  });

  it('is refused where every field is optional, too, and changes nothing', async () => {
    const scene = await createScene();
    const token = scene.clinic.patient.token;
    for (const raw of [nested(30_000), 'true', '"x"', '[]', 'null', '{'])
      expect(
        (await scene.world.request('/v1/auth/profile', { method: 'PATCH', token, raw })).status,
      ).toBeOneOf([400, 422]);
  });
});

describe('a body under another name', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=iso-8859-1',
    'application/json, text/plain',
    'application/jsonp',
    'application/json-patch+json',
    'text/json',
  ])('%s is refused, so that no page of another origin can send one without asking', async (type) => {
    const world = await createWorld();
    const body = '{"email":"a@klinik.example","password":"x"}';
    const answer = await world.request('/v1/auth/login', { raw: body, headers: { 'Content-Type': type } });
    expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
  });
});
