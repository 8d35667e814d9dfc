import { beforeEach, describe, expect, it } from 'vitest';
import type { Endpoint } from '../../src/core/endpoint/endpoint.ts';
import { users } from '../../src/core/tables/accounts.ts';
import { createScene, endpoints, nameOf, pathFor, type Scene, tokenFor } from '../support/scene.ts';
import { bodyFor, type Field, fieldsOf, isText, requestPath } from '../support/shapes.ts';

let scene: Scene;
beforeEach(async () => {
  scene = await createScene();
});

const texts = endpoints.flatMap((contract) =>
  fieldsOf(contract, 'body')
    .filter(isText)
    .map((field) => ({ contract, field })),
);
const parameters = endpoints.flatMap((contract) =>
  fieldsOf(contract, 'query').map((field) => ({ contract, field })),
);
const named = endpoints.filter(({ params }) => params !== undefined);

/** Sends a body in which one field is `value` and all others are acceptable. */
const send = (contract: Endpoint, { name }: Field, value: string) =>
  scene.world.request(requestPath(scene, contract), {
    method: contract.method.toUpperCase(),
    token: tokenFor(scene, contract),
    body: { ...bodyFor(scene, contract), [name]: value },
    ...(contract.sameOrigin !== undefined && { headers: { 'Sec-Fetch-Site': 'same-origin' } }),
  });

/** Only a page of ours gets cookies, and those of ours alone. */
const hasForeignCookie = (headers: Headers): boolean =>
  headers.getSetCookie().some((cookie) => !/^__Host-janji-(pasien|konsol)(-device)?=[\w.-]*; /.test(cookie));

const ask = (contract: Endpoint, path: string) =>
  scene.world.request(path, { method: contract.method.toUpperCase(), token: tokenFor(scene, contract) });

const accountsNow = async () => (await scene.world.db.select().from(users)).map(({ id, role }) => [id, role]);

describe('in each string field of each body', () => {
  it.each([
    ['NUL', 'a\0b'],
    ['a lone high surrogate', 'a\ud800b'],
    ['a lone low surrogate', 'a\udc00b'],
  ])('%s is refused with 422, by the name of the field', async (_name, value) => {
    const wrong: string[] = [];
    for (const { contract, field } of texts) {
      const { status, body } = await send(contract, field, value);
      if (status !== 422 || body.errors?.[field.name] === undefined)
        wrong.push(`${nameOf(contract)} ${field.name}: ${status} ${body.code}`);
    }
    expect(wrong).toEqual([]);
    expect(texts.length).toBeGreaterThan(40);
  });

  it.each([
    ['CRLF and a header', 'a\r\nSet-Cookie: peran=admin\r\n\r\n<html>'],
    ['SQL that ends the statement', `'); drop table users; --`],
    ['SQL that is always true', `' or '1'='1`],
    ['wildcards of LIKE', '%_%%_'],
    ['a formula', '=cmd|calc!A1'],
    ['a script', '<script>alert(1)</script>'],
    ['a template', '{{7*7}}#{7*7}'],
    ['a format', '%s%n%x%%'],
    ['a path', '../../../../etc/passwd'],
    ['text from right to left', '\u202emoc.live//:sptth'],
    ['a byte order mark', '\ufeff'],
    ['percent-encoding that is none', '%E0%A4'],
    ['100,000 combining marks', '\u0301'.repeat(30_000)],
    ['60,000 characters', 'a'.repeat(60_000)],
  ])(
    '%s is taken as it is or refused, and does nothing',
    async (_name, value) => {
      const accounts = await accountsNow();
      for (const { contract, field } of texts) {
        const { status, headers } = await send(contract, field, value);
        const where = `${nameOf(contract)} ${field.name}`;
        expect(`${where} ${status}`).toMatch(/ (2\d\d|401|403|404|409|422)$/);
        expect(hasForeignCookie(headers)).toBe(false);
      }
      // Whatever was made is a row of its own; nobody is gone and nobody is more than before.
      const after = await accountsNow();
      expect(accounts.every(([id]) => after.some(([other]) => other === id))).toBe(true);
    },
    120_000,
  );

  it('a text comes back as it was sent', async () => {
    const { world, clinic } = scene;
    const notes = `'; drop table bookings; --\r\n<script>${'\u202e'}%E0%A4 $\{x} 😀 \u0000`.slice(0, -1);
    const body = { doctor_id: clinic.practice.doctorId, session_id: clinic.practice.sessionId };
    const when = { schedule_date: '2026-11-24', schedule_time: '12:00:00' };
    const { token } = clinic.stranger;
    const booked = await world.request('/v1/bookings', { token, body: { ...body, ...when, notes } });
    expect(booked.body.data.notes).toBe(notes);
    expect((await world.request('/v1/bookings/history', { token })).body.data[0].notes).toBe(notes);
  });
});

describe('in each parameter of each query', () => {
  it.each([
    ['percent-encoding that is none', '%E0%A4'],
    ['a percent sign alone', '%'],
    ['NUL', '%00'],
    ['a surrogate as UTF-8', '%ED%A0%80'],
    ['CRLF and a header', 'x%0d%0aSet-Cookie:%20x=1'],
    ['SQL', "'%20or%201=1%20--"],
    ['a number beyond all', '1e999'],
    ['a negative number', '-1'],
    ['nothing', ''],
    ['60,000 characters', 'a'.repeat(60_000)],
  ])('%s is refused, or found nowhere', async (_name, value) => {
    for (const { contract, field } of parameters) {
      const path = requestPath(scene, contract);
      const [bare = '', given = ''] = path.split('?');
      const rest = given.split('&').filter((part) => part !== '' && !part.startsWith(`${field.name}=`));
      const query = [...rest, `${field.name}=${value}`].join('&');
      const { status, headers } = await ask(contract, `${bare}?${query}`);
      expect(`${nameOf(contract)} ${field.name} ${status}`).toMatch(/ (200|400)$/);
      expect(headers.get('Set-Cookie')).toBeNull();
    }
    expect(parameters.length).toBeGreaterThan(40);
  });

  it('one that comes twice is refused', async () => {
    for (const { contract, field } of parameters.filter(({ field }) => field.name === 'limit')) {
      const { status } = await ask(contract, `${pathFor(scene, contract)}?limit=1&limit=100`);
      expect(`${nameOf(contract)} ${field.name} ${status}`).toMatch(/ 400$/);
    }
  });

  it('one that nobody knows is refused or ignored as the contract says, even when it is called __proto__', async () => {
    for (const contract of endpoints.filter(({ query, method }) => query !== undefined && method === 'get')) {
      const path = requestPath(scene, contract);
      const more = '__proto__=1&constructor=1&hasOwnProperty=1&__proto__[role]=admin';
      const { status } = await ask(contract, `${path}${path.includes('?') ? '&' : '?'}${more}`);
      expect([nameOf(contract), status]).toEqual([
        nameOf(contract),
        contract.ignoresUnknownQuery ? 200 : 400,
      ]);
    }
  });
});

describe('in each path that names a record', () => {
  it.each([
    ['percent-encoding that is none', '%E0%A4'],
    ['a percent sign alone', '%'],
    ['NUL', '%00'],
    ['NUL after a good id', '11111111-1111-1111-1111-111111111111%00'],
    ['CRLF', '%0d%0aSet-Cookie:%20x=1'],
    ['a slash', '..%2f..%2fadmin'],
    ['SQL', "'%20or%201=1%20--"],
    ['a surrogate as UTF-8', '%ED%A0%80'],
    ['braces of another notation', '{11111111-1111-1111-1111-111111111111}'],
    ['an id without hyphens', '11111111111111111111111111111111'],
    ['8,000 characters', 'a'.repeat(8_000)],
  ])('%s is answered with 404', async (_name, id) => {
    for (const contract of named) {
      const { status, headers } = await ask(contract, pathFor(scene, contract, id));
      expect(`${nameOf(contract)} ${status}`).toMatch(/ 404$/);
      expect(headers.get('Set-Cookie')).toBeNull();
    }
  });

  it('an id is one id in whatever case it is written', async () => {
    for (const contract of named.filter(({ method }) => method === 'get')) {
      const { status } = await ask(
        contract,
        requestPath(scene, contract).replace(/[\da-f-]{36}/g, (id) => id.toUpperCase()),
      );
      expect(`${nameOf(contract)} ${status}`).toMatch(/ 200$/);
    }
  });
});
