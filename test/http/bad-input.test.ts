import { describe, expect, it } from 'vitest';
import { bookingInput, createPractice } from '../support/clinic.ts';
import { createPerson } from '../support/people.ts';
import { createWorld, type Sent, type World } from '../support/world.ts';

const bytes = (count: number) => `{"name":"${'a'.repeat(count - 11)}"}`;

const chunked = (text: string) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      const all = new TextEncoder().encode(text);
      for (let at = 0; at < all.length; at += 8_000) controller.enqueue(all.slice(at, at + 8_000));
      controller.close();
    },
  });

const register = (world: World, sent: Sent) =>
  world.request('/v1/auth/register', { method: 'POST', ...sent });

describe('bad input gets a clear error', () => {
  const bodies: [name: string, sent: Sent, status: number, code: string][] = [
    ['malformed JSON', { raw: '{"name":' }, 400, 'malformed_json'],
    ['no body where one is needed', {}, 400, 'malformed_json'],
    [
      'a form instead of JSON',
      { raw: 'name=a', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
      415,
      'unsupported_media_type',
    ],
    [
      'JSON under no content type',
      { raw: '{}', headers: { 'Content-Type': '' } },
      415,
      'unsupported_media_type',
    ],
    [
      'JSON in another charset',
      { raw: '{}', headers: { 'Content-Type': 'application/json; charset=utf-16' } },
      415,
      'unsupported_media_type',
    ],
    ['bytes that are not UTF-8', { raw: new Uint8Array([0x22, 0xff, 0x22]) }, 415, 'unsupported_media_type'],
    ['a body of 65,536 bytes, which is read', { raw: bytes(65_536) }, 422, 'validation_failed'],
    ['a body of 65,537 bytes', { raw: bytes(65_537) }, 413, 'payload_too_large'],
    ['an array', { raw: '[]' }, 422, 'validation_failed'],
    ['null', { raw: 'null' }, 422, 'validation_failed'],
  ];
  for (const [name, sent, status, code] of bodies)
    it(`answers ${status} ${code} to ${name}`, async () => {
      const world = await createWorld();
      expect(await register(world, sent)).toMatchObject({ status, body: { status: 'error', code } });
    });

  for (const type of [
    'application/json;',
    'application/json ; charset=utf-8',
    'Application/JSON; profile="x"',
    'application/json; charset="UTF8"; version=1',
  ])
    it(`reads JSON under ${type}`, async () => {
      const world = await createWorld();
      expect((await register(world, { raw: '{}', headers: { 'Content-Type': type } })).status).toBe(422);
    });

  for (const [size, status] of [
    [65_536, 422],
    [65_537, 413],
  ] as const)
    it(`answers ${status} to ${size} bytes in chunks`, async () => {
      const world = await createWorld();
      const request = new Request('http://localhost/v1/auth/register', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: chunked(bytes(size)),
        duplex: 'half',
      } as RequestInit);
      expect((await world.app.fetch(request)).status).toBe(status);
    });

  it('answers 404 to an unknown route and 405 with Allow to a wrong method', async () => {
    const world = await createWorld();
    expect(await world.request('/v1/nothing')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const wrong = await world.request('/v1/bookings/history', { method: 'PUT' });
    expect(wrong).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
    expect(wrong.headers.get('Allow')).toBe('GET, HEAD');
  });

  it('answers HEAD where GET answers', async () => {
    const world = await createWorld();
    const head = await world.request('/v1/sessions', { method: 'HEAD' });
    expect([head.status, head.body]).toEqual([200, '']);
  });

  it('names each missing field in the language of the client', async () => {
    const world = await createWorld();
    const indonesian = await register(world, { body: {} });
    expect(indonesian.body.errors.email).toEqual(['Wajib diisi.']);
    expect(Object.keys(indonesian.body.errors)).toHaveLength(6);
    const english = await register(world, {
      body: {},
      headers: { 'Accept-Language': 'fr, en-GB;q=0.8, id;q=0.5' },
    });
    expect(english.body.errors.email).toEqual(['Is required.']);
    expect(english.headers.get('Content-Language')).toBe('en');
  });

  it.each([
    ['in-ID, en;q=0.5', 'id'],
    ['fr, en;q=0.1', 'en'],
    ['fr', 'id'],
    ['en;q=0', 'id'],
  ])('answers %s in the language %s', async (given, language) => {
    const world = await createWorld();
    const { headers } = await world.request('/v1/nothing', { headers: { 'Accept-Language': given } });
    expect(headers.get('Content-Language')).toBe(language);
  });

  it('says one thing about a field, however much is wrong with it', async () => {
    const world = await createWorld();
    const much = `${'a'.repeat(5_000)}\0`;
    const { body } = await register(world, { body: { name: much, email: much, device_id: much } });
    const { name, email, device_id } = body.errors;
    expect([name, email, device_id]).toEqual([
      ['Maksimal 100 karakter.'],
      ['Maksimal 254 karakter.'],
      ['Maksimal 255 karakter.'],
    ]);
  });

  const fields: [name: string, value: Record<string, unknown>, field: string][] = [
    ['2026-02-30', { schedule_date: '2026-02-30' }, 'schedule_date'],
    ['a date without zeros', { schedule_date: '2026-2-3' }, 'schedule_date'],
    ['a time without seconds', { schedule_time: '09:00' }, 'schedule_time'],
    ['24:00:00', { schedule_time: '24:00:00' }, 'schedule_time'],
    ['a malformed UUID', { doctor_id: '123' }, 'doctor_id'],
    ['a number for text', { notes: 5 }, 'notes'],
    ['notes of 1,001 characters', { notes: '😀'.repeat(1_001) }, 'notes'],
    ['a NUL', { notes: 'a\0b' }, 'notes'],
    ['a lone surrogate', { notes: 'a\ud800b' }, 'notes'],
  ];
  for (const [name, value, field] of fields)
    it(`answers 422 and names the field for ${name}`, async () => {
      const world = await createWorld();
      const { token } = await createPerson(world);
      const practice = { doctorId: crypto.randomUUID(), sessionId: crypto.randomUUID() };
      const answer = await world.request('/v1/bookings', { token, body: bookingInput(practice, value) });
      expect(answer).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
      expect(Object.keys(answer.body.errors)).toEqual([field]);
    });

  it('takes 1,000 characters of notes, however many code units they have', async () => {
    const world = await createWorld();
    const practice = await createPractice(world);
    const { token } = await createPerson(world);
    const notes = '😀'.repeat(1_000);
    const booked = await world.request('/v1/bookings', { token, body: bookingInput(practice, { notes }) });
    expect([booked.status, booked.body.data.notes]).toEqual([201, notes]);
  });

  it('answers 404 to a malformed id in a path, once it knows who asks', async () => {
    const world = await createWorld();
    const { token } = await createPerson(world);
    const path = '/v1/bookings/not-a-uuid/cancel';
    expect((await world.request(path, { method: 'POST' })).status).toBe(401);
    expect(await world.request(path, { method: 'POST', token })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
  });
});

describe('checks come in the order of the contract', () => {
  it('size before token, token before syntax, ownership before syntax and fields', async () => {
    const world = await createWorld();
    const practice = await createPractice(world);
    const [owner, stranger] = [await createPerson(world), await createPerson(world)];
    const { body } = await world.request('/v1/bookings', {
      token: owner.token,
      body: bookingInput(practice),
    });
    const path = `/v1/bookings/${body.data.id}/cancel`;
    const statusOf = async (sent: Sent) => (await world.request(path, { method: 'POST', ...sent })).status;
    expect(await statusOf({ raw: bytes(65_537) })).toBe(413);
    expect(await statusOf({ raw: 'x', headers: { 'Content-Type': 'text/plain' } })).toBe(415);
    expect(await statusOf({ raw: '{' })).toBe(401);
    expect(await statusOf({ raw: '{', token: stranger.token })).toBe(404);
    expect(await statusOf({ body: { reason: 5 }, token: stranger.token })).toBe(404);
    expect(await statusOf({ raw: '{', token: owner.token })).toBe(400);
    expect(await statusOf({ body: { reason: 5 }, token: owner.token })).toBe(422);
    expect(await statusOf({ token: owner.token })).toBe(200);
    expect(await statusOf({ token: owner.token })).toBe(409);
  });

  it('takes no body, an empty one and {} alike where every field is optional', async () => {
    const world = await createWorld();
    const practice = await createPractice(world, { capacity: 3 });
    const unnamed = { 'Content-Type': '' };
    const sent: Sent[] = [
      {},
      { raw: '' },
      { raw: '', headers: { 'Content-Type': 'text/plain' } },
      { raw: new TextEncoder().encode('{}'), headers: unnamed },
      { body: {} },
      { raw: '{}', headers: { 'Content-Type': 'application/json; charset="UTF-8"' } },
    ];
    for (const one of sent) {
      const { token } = await createPerson(world);
      const { body } = await world.request('/v1/bookings', { token, body: bookingInput(practice) });
      const answer = await world.request(`/v1/bookings/${body.data.id}/cancel`, {
        method: 'POST',
        token,
        ...one,
      });
      expect(answer.status).toBe(200);
    }
  });

  it('reads JSON there whose Content-Type is empty or missing, and obeys it', async () => {
    const world = await createWorld();
    const practice = await createPractice(world);
    const { token } = await createPerson(world);
    const { body } = await world.request('/v1/bookings', { token, body: bookingInput(practice) });
    const raw = new TextEncoder().encode('{"version":99}');
    for (const headers of [{ 'Content-Type': '' }, {}]) {
      const sent = { method: 'POST', token, raw, headers };
      const answer = await world.request(`/v1/bookings/${body.data.id}/cancel`, sent);
      expect([answer.status, answer.body.code]).toEqual([409, 'version_mismatch']);
    }
  });

  it('refuses what is not JSON there, with or without a Content-Type', async () => {
    const world = await createWorld();
    const { token } = await createPerson(world);
    const statusOf = async (raw: string, type: string) =>
      (
        await world.request('/v1/auth/logout', {
          method: 'POST',
          token,
          raw: new TextEncoder().encode(raw),
          headers: { 'Content-Type': type },
        })
      ).status;
    expect(await statusOf('halo', '')).toBe(415);
    expect(await statusOf('{}', 'text/plain')).toBe(415);
    expect(await statusOf('halo', 'application/json')).toBe(400);
  });
});
