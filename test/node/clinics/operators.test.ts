import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findClinic } from '../../../src/modules/clinics/queries.ts';
import { deleteOperator, findOperator } from '../../../src/modules/operators/queries.ts';
import { mostAttempts } from '../../../src/modules/operators/rules.ts';
import { openForOperators, operatorMail, operatorPassword } from '../../support/node/operator.ts';

const minute = 60_000;
const api = '/operator/api';

describe('the login of operators', () => {
  it('takes the password and the code together, and says of nothing which was wrong', async () => {
    const { tryLogin } = await openForOperators(['melati']);
    const answers = await Promise.all([
      tryLogin({ password: 'salah-sekali-1' }),
      tryLogin({ code: '000000' }),
      tryLogin({ email: 'siapa@vendor.example' }),
    ]);
    const { request_id: _, ...first } = answers[0]?.body ?? {};
    for (const { status, body } of answers) {
      expect(status).toBe(401);
      expect(body).toMatchObject(first);
      expect(body.code).toBe('invalid_credentials');
    }
    const { status, headers, body } = await tryLogin();
    expect([status, body.data.email]).toEqual([200, operatorMail]);
    expect(headers.get('Set-Cookie')).toMatch(
      /^__Host-janji-operator=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
  });

  it('takes each code once', async () => {
    const { tryLogin } = await openForOperators(['melati']);
    expect((await tryLogin()).status).toBe(200);
    expect((await tryLogin()).status).toBe(401);
  });

  it('takes a code once of several at the same moment', async () => {
    const { tryLogin } = await openForOperators(['melati']);
    const answers = await Promise.all([1, 2, 3, 4].map(() => tryLogin()));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
  });

  it('is limited, and open again after a while', async () => {
    const { tryLogin, time } = await openForOperators(['melati'], { settings: { RATE_LIMIT: 'on' } });
    for (let nth = 0; nth < mostAttempts.pair; nth++)
      expect((await tryLogin({ code: '000000' })).status).toBe(401);
    const { status, headers, body } = await tryLogin();
    expect([status, body.code]).toEqual([429, 'rate_limited']);
    expect(Number(headers.get('Retry-After'))).toBe(15 * 60);
    time.now += 15 * minute;
    expect((await tryLogin()).status).toBe(200);
  });

  it('ends after half an hour without use, when it is ended, and with the account', async () => {
    const { logIn, sendToOwn, time, many, enrol } = await openForOperators(['melati']);
    const ask = (cookie: string) => sendToOwn('GET', `${api}/session`, { cookie });
    const idle = await logIn();
    time.now += 29 * minute;
    expect((await ask(idle)).status).toBe(200);
    time.now += 29 * minute;
    expect((await ask(idle)).status).toBe(200);
    time.now += 31 * minute;
    expect((await ask(idle)).status).toBe(401);

    const left = await logIn();
    const { headers } = await sendToOwn('DELETE', `${api}/session`, { cookie: left });
    expect(headers.get('Set-Cookie')).toContain('Max-Age=0');
    expect((await ask(left)).status).toBe(401);

    const replaced = await logIn();
    await enrol(false);
    expect((await ask(replaced)).status).toBe(401);
    const operator = await findOperator(many().directory, operatorMail);
    await deleteOperator(many().directory, operator?.id ?? '');
    expect(await findOperator(many().directory, operatorMail)).toBeNull();
  });

  it('keeps neither the password, nor the secret of the app, nor the token in the clear', async () => {
    const { logIn, folder, secret } = await openForOperators(['melati']);
    const token = (await logIn()).split('=', 2)[1] ?? '';
    const stored = ['', '-wal']
      .map((end) => readFileSync(join(folder, `directory.db${end}`), 'latin1'))
      .join('');
    expect(stored).toContain(operatorMail);
    expect(stored).not.toContain(operatorPassword);
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain(token);
  });
});

describe('the interface of operators', () => {
  it('is there only for who is logged in, from its own page, and under no clinic’s host', async () => {
    const { sendToOwn, logIn, host } = await openForOperators(['melati']);
    for (const [method, path] of [
      ['GET', '/session'],
      ['GET', '/clinics'],
      ['GET', '/clinics/melati'],
      ['POST', '/clinics'],
      ['POST', '/clinics/melati/close'],
      ['POST', '/clinics/melati/open'],
      ['GET', '/acts'],
    ] as const) {
      const body = method === 'POST' ? {} : undefined;
      expect((await sendToOwn(method, api + path, { body })).status, path).toBe(401);
    }
    const cookie = await logIn();
    const foreign = { 'Sec-Fetch-Site': 'cross-site' };
    expect(
      (await sendToOwn('POST', `${api}/clinics/melati/close`, { cookie, headers: foreign })).body.code,
    ).toBe('cross_site');
    for (const path of ['/operator/', '/operator', `${api}/session`])
      expect((await sendToOwn('GET', path, { cookie, host: host('melati') })).status, path).toBe(404);
    expect((await sendToOwn('GET', `${api}/nothing`, { cookie })).status).toBe(404);
  });

  it('lists the clinics with their figures, and no patient', async () => {
    const { sendToOwn, logIn, login, book, path, time } = await openForOperators([
      'mawar',
      'melati',
      'rusak',
    ]);
    const booked = await book('melati', await login('melati'));
    time.now = Date.parse(`${booked.body.data.schedule_date}T00:10:00+07:00`);
    writeFileSync(path('rusak'), 'no database at all, and long enough to be read as one'.repeat(100));
    const cookie = await logIn();
    const { body, text } = await sendToOwn('GET', `${api}/clinics`, { cookie });
    expect(body.meta).toMatchObject({ page: 1, pages: 1, total: 3, all: 3, open: 3 });
    expect(body.data.map(({ name, state }: Record<string, string>) => [name, state])).toEqual([
      ['mawar', 'open'],
      ['melati', 'open'],
      ['rusak', 'broken'],
    ]);
    const [mawar, melati, broken] = body.data;
    expect(melati.bookings_today).toBe(mawar.bookings_today + 1);
    expect(mawar.bytes).toBeGreaterThan(100_000);
    expect(mawar).toMatchObject({ hosts: ['mawar.janji.example'], failures: 0, backup: null });
    expect(broken).toMatchObject({ bookings_today: null, problem: expect.stringContaining('rusak.db') });
    expect(text).not.toMatch(/klinik\.example|Pasien|patient/);
  });

  it('searches by name, host and id, and by state', async () => {
    const { sendToOwn, logIn } = await openForOperators(['mawar', 'melati']);
    const cookie = await logIn();
    const find = async (query: string) => {
      const { body } = await sendToOwn('GET', `${api}/clinics?${query}`, { cookie });
      return body.data.map(({ id }: { id: string }) => id);
    };
    expect(await find('q=lati')).toEqual(['melati']);
    expect(await find('q=mawar.janji')).toEqual(['mawar']);
    expect(await find('q=%25')).toEqual([]);
    expect(await find('state=closed')).toEqual([]);
    expect(await find('page=2')).toEqual([]);
    expect((await sendToOwn('GET', `${api}/clinics?state=lost`, { cookie })).status).toBe(400);
  });

  it('closes and opens a clinic, which this service knows at once', async () => {
    const { sendToOwn, logIn, ask, many } = await openForOperators(['melati']);
    expect((await ask('melati', '/v1/doctors')).status).toBe(200);
    const cookie = await logIn();
    const closed = await sendToOwn('POST', `${api}/clinics/melati/close`, { cookie });
    expect([closed.status, closed.body.data.state]).toEqual([200, 'closed']);
    expect(await ask('melati', '/v1/doctors')).toMatchObject({
      status: 503,
      body: { code: 'clinic_closed' },
    });
    expect(many().clinics.counts().open).toBe(0);
    await sendToOwn('POST', `${api}/clinics/melati/open`, { cookie });
    expect((await ask('melati', '/v1/doctors')).status).toBe(200);
    const { body } = await sendToOwn('GET', `${api}/acts`, { cookie });
    expect(body.data.map(({ act, clinic_name }: Record<string, string>) => [act, clinic_name])).toEqual([
      ['clinic_opened', 'melati'],
      ['clinic_closed', 'melati'],
      ['logged_in', null],
    ]);
    expect((await sendToOwn('POST', `${api}/clinics/hilang/close`, { cookie })).status).toBe(404);
  });

  it('adds a clinic, which is served at once, and says what cannot be accepted', async () => {
    const { sendToOwn, logIn, ask, many } = await openForOperators(['melati']);
    expect((await ask('kenanga', '/v1/doctors')).status).toBe(404);
    const cookie = await logIn();
    const add = (body: object) => sendToOwn('POST', `${api}/clinics`, { cookie, body });
    const wrong = await add({ name: ' ', host: 'not a host', time_zone: 'Mars/Olympus', admin: 'nobody' });
    expect([wrong.status, Object.keys(wrong.body.errors).sort()]).toEqual([
      422,
      ['admin', 'host', 'name', 'time_zone'],
    ]);
    expect((await add({ name: 'Melati', host: 'Melati.janji.example' })).body.errors).toEqual({
      host: [expect.any(String)],
    });
    const added = await add({
      name: 'Klinik Kenanga',
      host: 'kenanga.janji.example',
      time_zone: '',
      admin: 'siti@kenanga.example',
    });
    expect(added.status).toBe(201);
    expect(added.body.data).toMatchObject({
      state: 'open',
      bookings_today: 0,
      time_zone: 'Asia/Jakarta',
      admin: 'siti@kenanga.example',
      link: expect.stringMatching(/^http:\/\/kenanga\.janji\.example:8787\/mulai\/#[\w-]{43}$/),
    });
    expect((await findClinic(many().directory, 'kenanga.janji.example'))?.name).toBe('Klinik Kenanga');
    expect(await ask('kenanga', '/v1/doctors')).toMatchObject({ status: 200, body: { data: [] } });
  });
});
