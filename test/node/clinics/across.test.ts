import { expect, it } from 'vitest';
import { demoIds } from '../../../src/modules/demo/demo.ts';
import { codesOn } from '../../support/holds.ts';
import { openManyClinics } from '../../support/node/many-clinics.ts';
import { openForOperators, ownHost } from '../../support/node/operator.ts';

const api = '/operator/api';
const secret = 'the-operators-secret-of-this-test-0123456789';

it('what lets operators in does so at no clinic, and what a clinic gives not at the operators', async () => {
  const settings = { OPERATOR_SECRET: secret };
  const { logIn, sendToOwn, login, host } = await openForOperators(['melati'], { settings });
  const cookie = await logIn();
  const token = await login('melati', 'admin@klinik.example');
  const authorized = (text: string) => ({ headers: { Authorization: `Bearer ${text}` } });
  const at = { host: host('melati') };
  const clinics = `${api}/clinics`;
  const statuses = async (asked: readonly (readonly [string, Parameters<typeof sendToOwn>[2]])[]) =>
    Promise.all(asked.map(async ([path, given]) => (await sendToOwn('GET', path, given)).status));
  expect(
    await statuses([
      [clinics, { cookie }],
      [clinics, authorized(secret)],
      ['/v1/auth/profile', { ...at, ...authorized(token) }],
    ]),
  ).toEqual([200, 200, 200]);
  expect(
    await statuses([
      ['/v1/auth/profile', { ...at, cookie }],
      ['/v1/auth/profile', { ...at, ...authorized(secret) }],
      [clinics, authorized(token)],
      [clinics, { cookie: `__Host-janji-operator=${token}` }],
    ]),
  ).toEqual([401, 401, 401, 401]);
  // Under any spelling of a clinic's host there is no page of operators, whatever else a header says.
  for (const spelled of [
    'melati.janji.example',
    'MELATI.janji.example',
    'melati.janji.example.',
    'melati.janji.example:8787',
  ])
    for (const named of ['X-Forwarded-Host', 'Forwarded', 'X-Host'])
      expect(
        await statuses([
          [clinics, { host: spelled, cookie, headers: { [named]: ownHost } }],
          ['/operator/', { host: spelled, cookie }],
          ['/v1/auth/profile', { host: spelled, ...authorized(token) }],
        ]),
      ).toEqual([404, 404, 200]);
  // And under that of nobody there is no clinic.
  const forwarded = { ...authorized(token).headers, 'X-Forwarded-Host': host('melati') };
  expect(await statuses([['/v1/auth/profile', { headers: forwarded }]])).toEqual([404]);
});

const [doctor_id] = demoIds.doctors;
const [session_id] = demoIds.sessions;

it('a set-up link makes the first admin of its own clinic alone, also beside a copy of its database', async () => {
  const settings = { OPERATOR_SECRET: secret };
  const { ask, sendToOwn, copyAndRestart } = await openForOperators(['melati'], { settings });
  const add = async (id: string): Promise<string> => {
    const body = { id, name: id, host: `${id}.janji.example` };
    const { status, body: answer } = await sendToOwn('POST', `${api}/clinics`, {
      body,
      headers: { Authorization: `Bearer ${secret}` },
    });
    expect(status).toBe(201);
    return answer.data.link.split('#')[1];
  };
  const links = { anggrek: await add('anggrek'), kenanga: await add('kenanga') };
  const open = async (id: string, token: string) => {
    const twice = { password: 'jembatan-merah-9x', password_confirmation: 'jembatan-merah-9x' };
    const body = { token, name: 'Ani', email: 'ani@contoh.example', ...twice };
    const headers = { 'Sec-Fetch-Site': 'same-origin' };
    const { status, body: answer } = await ask(id, '/v1/setup', { body, headers });
    return answer.code ?? status;
  };
  expect(await open('anggrek', links.kenanga)).toBe('setup_link_invalid');
  await copyAndRestart('anggrek', 'kenanga');
  expect(await open('kenanga', links.anggrek)).toBe('setup_link_invalid');
  expect(await open('anggrek', links.anggrek)).toBe(201);
});

it('a key of one request is another one at another clinic, whose accounts have the same ids', async () => {
  const { ask, send, login } = await openManyClinics(['melati', 'mawar']);
  const slots = await ask('melati', `/v1/doctors/${doctor_id}/slots`);
  const [{ schedule_date, schedule_time }] = slots.body.data;
  const body = { doctor_id, session_id, schedule_date, schedule_time };
  const headers = { 'Idempotency-Key': 'the-same-everywhere' };
  const booked = async (id: string) => {
    const { answer, end } = await send(id, '/v1/bookings', { token: await login(id), body, headers });
    const { data } = (await answer.json()) as { data: { id: string } };
    end();
    return [answer.status, answer.headers.get('Idempotency-Replayed'), data.id];
  };
  const there = await booked('melati');
  const here = await booked('mawar');
  expect([there.slice(0, 2), here.slice(0, 2)]).toEqual([
    [201, null],
    [201, null],
  ]);
  expect(here[2]).not.toBe(there[2]);
  expect(await booked('mawar')).toEqual([201, 'true', here[2]]);
});

it('a receiver of events is its own clinic’s, whoever names it', async () => {
  const { ask, login } = await openManyClinics(['melati', 'mawar']);
  const [token, there] = [
    await login('melati', 'admin@klinik.example'),
    await login('mawar', 'admin@klinik.example'),
  ];
  const body = { url: 'https://receiver.example/in', types: ['booking.created'] };
  const made = await ask('melati', '/v1/admin/webhooks', { token, body });
  expect(made.status).toBe(201);
  const path = `/v1/admin/webhooks/${made.body.data.id}`;
  const asked = [
    await ask('mawar', path, { token: there }),
    await ask('mawar', path, { token: there, method: 'PATCH', body: { active: false } }),
    await ask('mawar', `${path}/deliveries`, { token: there }),
    await ask('mawar', `${path}/test`, { token: there, method: 'POST' }),
    await ask('mawar', `${path}/rotate-secret`, { token: there, method: 'POST' }),
    await ask('mawar', path, { token: there, method: 'DELETE' }),
  ];
  expect(asked.map(({ status }) => status)).toEqual(Array(6).fill(404));
  expect((await ask('melati', path, { token })).status).toBe(200);
});

it('a held seat and a code that assigns a record hold at no copy of their clinic', async () => {
  const { ask, login, copyAndRestart } = await openManyClinics(['melati', 'mawar'], { settings: codesOn });
  const slots = await ask('melati', `/v1/doctors/${doctor_id}/slots`);
  const [{ schedule_date, schedule_time }] = slots.body.data;
  const slot = { doctor_id, session_id, schedule_date, schedule_time };
  const held = await ask('melati', '/v1/holds', { body: slot });
  expect(held.status).toBe(201);
  const staff = await login('melati', 'staff@klinik.example');
  const birth_date = '2019-04-23';
  const child = await ask('melati', '/v1/patients', { token: staff, body: { name: 'Kirana', birth_date } });
  const code = await ask('melati', `/v1/patients/${child.body.data.id}/claim-code`, {
    token: staff,
    method: 'POST',
  });
  expect([child.status, code.status]).toEqual([201, 201]);
  await copyAndRestart('melati', 'mawar');
  const headers = { 'X-Hold-Secret': held.body.data.secret };
  const tried = async (id: string) => {
    const token = await login(id);
    const claim = { code: code.body.data.code, birth_date, relation: 'child' };
    const answers = [
      await ask(id, `/v1/holds/${held.body.data.id}`, { headers }),
      await ask(id, '/v1/bookings', { token, body: slot, headers }),
      await ask(id, '/v1/family/claim', { token, body: claim }),
    ];
    return answers.map(({ status, body }) => body.code ?? status);
  };
  expect(await tried('mawar')).toEqual(['not_found', 'slot_full', 'claim_code_invalid']);
  expect(await tried('melati')).toEqual([200, 201, 200]);
});
