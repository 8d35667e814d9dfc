import { expect, it } from 'vitest';
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
