import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Statement } from '../../../src/core/db/db.ts';
import { countClinics, findClinic } from '../../../src/modules/clinics/queries.ts';
import type { DescribedClinic } from '../../../src/modules/operators/hosting.ts';
import { listActs } from '../../../src/modules/operators/queries.ts';
import { mostSignups } from '../../../src/modules/operators/rules.ts';
import { approveSignup } from '../../../src/modules/operators/signup.ts';
import { claimSignup, listSignups } from '../../../src/modules/operators/signup-queries.ts';
import { addClinic, createClinicMaker } from '../../../src/runtime/node/clinics/add-clinics.ts';
import { parseAllSettings } from '../../../src/runtime/node/settings.ts';
import { openForOperators } from '../../support/node/operator.ts';

const api = '/operator/api';
const minute = 60_000;
const day = 86_400_000;
const settings = { SIGNUP: 'on', PUBLIC_URL: 'https://ops.janji.example', MAIL_TO_LOG: 'on' };
const wish = {
  name: 'Klinik Kenanga',
  host: 'Kenanga.janji.example',
  email: 'Siti@kenanga.example',
  time_zone: '',
};

const begin = async (more: Record<string, string> = {}) => {
  const opened = await openForOperators(['melati'], { settings: { ...settings, ...more } });
  const { sendToOwn, told } = opened;
  const ask = (change: object = {}) => sendToOwn('POST', `${api}/signups`, { body: { ...wish, ...change } });
  /** The texts of the mails, the newest last. */
  const mails = () =>
    told.filter(({ fields }) => typeof fields.text === 'string').map(({ fields }) => fields);
  const tokenOfLast = () => /signup\/#([\w-]{43})\s/.exec(String(mails().at(-1)?.text))?.[1] ?? '';
  const prove = (token: string) => sendToOwn('POST', `${api}/signups/prove`, { body: { token } });
  return { ...opened, ask, mails, tokenOfLast, prove };
};

describe('the sign-up of a clinic', () => {
  it('is not there unless it was turned on', async () => {
    const { ask, prove, sendToOwn } = await begin({ SIGNUP: 'off' });
    for (const answer of [await ask(), await prove('x'), await sendToOwn('GET', '/operator/signup/')])
      expect(answer.status).toBe(404);
  });

  it('needs an address of the deployment and a way of mail', async () => {
    await expect(openForOperators(['melati'], { settings: { SIGNUP: 'on' } })).rejects.toThrow('PUBLIC_URL');
  });

  it('is proved by the link of a mail, once, approved by an operator, and served', async () => {
    const { ask, mails, tokenOfLast, prove, sendToOwn, logIn, many } = await begin();
    const asked = await ask();
    expect([asked.status, asked.body.data]).toEqual([202, null]);
    expect(mails().at(-1)).toMatchObject({ to: 'siti@kenanga.example' });
    expect(mails().at(-1)?.text).toContain('https://ops.janji.example/operator/signup/#');
    const cookie = await logIn();
    const list = async () => (await sendToOwn('GET', `${api}/signups`, { cookie })).body.data;
    expect(await list()).toEqual([]);
    const token = tokenOfLast();
    expect((await prove(token)).status).toBe(200);
    expect(await prove(token)).toMatchObject({ status: 422, body: { code: 'reset_token_invalid' } });
    const [waiting] = await list();
    expect(waiting).toMatchObject({
      name: wish.name,
      host: 'kenanga.janji.example',
      email: 'siti@kenanga.example',
    });
    expect(JSON.stringify(waiting)).not.toContain(token);
    expect((await sendToOwn('POST', `${api}/signups/${waiting.id}/approve`, { body: {} })).status).toBe(401);
    const approved = await sendToOwn('POST', `${api}/signups/${waiting.id}/approve`, { cookie, body: {} });
    expect(approved.status).toBe(201);
    expect(approved.body.data).toMatchObject({ mailed: true, link: expect.stringContaining('/mulai/#') });
    expect(mails().at(-1)?.text).toContain(approved.body.data.link);
    expect((await findClinic(many().directory, 'kenanga.janji.example'))?.state).toBe('open');
    expect(
      (await sendToOwn('POST', `${api}/signups/${waiting.id}/approve`, { cookie, body: {} })).status,
    ).toBe(404);
    expect(await list()).toEqual([]);
  });

  it('ends with its day, and with a rejection', async () => {
    const { ask, tokenOfLast, prove, sendToOwn, logIn, time, many } = await begin();
    await ask();
    time.now += day;
    expect((await prove(tokenOfLast())).status).toBe(422);
    await ask();
    await prove(tokenOfLast());
    const cookie = await logIn();
    const [waiting] = await listSignups(many().directory, time.now, 10);
    expect(
      (await sendToOwn('POST', `${api}/signups/${waiting?.id}/reject`, { cookie, body: {} })).status,
    ).toBe(200);
    expect(await listSignups(many().directory, time.now, 10)).toEqual([]);
    expect(await findClinic(many().directory, 'kenanga.janji.example')).toBeNull();
  });

  it('answers everybody alike, also for a host that is taken, which an operator then sees', async () => {
    const { ask, tokenOfLast, prove, sendToOwn, logIn, many, time } = await begin();
    const taken = await ask({ host: 'melati.janji.example' });
    const free = await ask();
    expect([taken.status, taken.text]).toEqual([free.status, free.text]);
    await ask({ host: 'melati.janji.example' });
    await prove(tokenOfLast());
    const cookie = await logIn();
    const [waiting] = await listSignups(many().directory, time.now, 10);
    const refused = await sendToOwn('POST', `${api}/signups/${waiting?.id}/approve`, { cookie, body: {} });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['host']]);
    // It waits on, for another decision.
    expect(await listSignups(many().directory, time.now, 10)).toMatchObject([{ claimedAt: null }]);
  });

  it('is decided by one at a time', async () => {
    const { ask, tokenOfLast, prove, many, time } = await begin();
    await ask();
    await prove(tokenOfLast());
    const [waiting] = await listSignups(many().directory, time.now, 10);
    const claims = [1, 2, 3].map(() => claimSignup(many().directory, waiting?.id ?? '', time.now));
    expect((await Promise.all(claims)).filter((one) => one !== null)).toHaveLength(1);
  });

  it('mails an e-mail three times a day at most, and refuses a network that asks on and on', async () => {
    const { ask, mails } = await begin({ RATE_LIMIT: 'on' });
    const statuses: number[] = [];
    for (let nth = 0; nth <= mostSignups.network; nth++) statuses.push((await ask()).status);
    expect(statuses).toEqual([...Array(mostSignups.network).fill(202), 429]);
    expect(mails()).toHaveLength(mostSignups.email);
  });

  it('says which field cannot be accepted', async () => {
    const { ask } = await begin();
    const { status, body } = await ask({ name: '', host: 'https://x', email: 'x' });
    expect([status, Object.keys(body.errors).sort()]).toEqual([422, ['email', 'host', 'name']]);
  });

  it('adds its clinic once, however often an approval is cut short, and then sends another link', async () => {
    const { ask, tokenOfLast, prove, sendToOwn, logIn, many, time, mails, path } = await begin();
    await ask();
    await prove(tokenOfLast());
    const [waiting] = await listSignups(many().directory, time.now, 10);
    const id = waiting?.id ?? '';
    const cookie = await logIn();
    const approve = () => sendToOwn('POST', `${api}/signups/${id}/approve`, { cookie, body: {} });
    const { directory: db } = many();
    // Cut short before its line in the directory: a database is left that is no clinic's.
    expect(await claimSignup(db, id, time.now)).not.toBeNull();
    writeFileSync(path(id), 'half a database');
    time.now += minute + 1;
    // Cut short after it, before the request is deleted.
    const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
    const mailer = {
      send: (): never => {
        throw new Error('killed');
      },
    };
    const settings = parseAllSettings({ CLINICS: 'files', NODE_ENV: 'test' });
    const folder = dirname(path(id));
    const maker = createClinicMaker(settings);
    const hosting = {
      add: (described: DescribedClinic, recorded: (added: string) => Statement) =>
        addClinic(described, { directory: db, folder, settings, maker, now: time.now, recorded }),
      link: async () => null,
    };
    const needs = { db, clock: () => time.now, log, mailer, hosting, operator: 'ani' };
    await expect(approveSignup(needs, id)).rejects.toThrow('killed');
    maker.end();
    expect(await findClinic(db, 'kenanga.janji.example')).toMatchObject({ id });
    expect((await listActs(db, 1))[0]).toMatchObject({ act: 'signup_approved', clinicId: id });
    time.now += minute + 1;
    const rejected = await sendToOwn('POST', `${api}/signups/${id}/reject`, { cookie, body: {} });
    expect([rejected.status, rejected.body.code]).toEqual([409, 'signup_approved']);
    const resumed = await approve();
    expect([resumed.status, resumed.body.data]).toMatchObject([
      201,
      { id, mailed: true, link: expect.stringContaining('/mulai/#') },
    ]);
    expect(mails().at(-1)?.text).toContain(resumed.body.data.link);
    expect((await countClinics(db)).all).toBe(2);
    expect((await approve()).status).toBe(404);
  });
});
