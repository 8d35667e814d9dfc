import { describe, expect, it } from 'vitest';
import { noticeChoices } from '../../src/core/tables/mail.ts';
import { act, askPage, book, createTelling, logOf, mailing, openBox, tell } from '../support/notices.ts';
import type { World } from '../support/world.ts';

const path = '/v1/auth/notices';

const stopLinkIn = (world: World) =>
  (world.mails[0]?.headers?.['List-Unsubscribe'] ?? '').replace(/^<https:\/\/janji\.klinik\.example|>$/g, '');

const oneClick = { 'Content-Type': 'application/x-www-form-urlencoded' };

describe('the choices of a person', () => {
  it('are everything in Indonesian until they are changed, each by itself', async () => {
    const { settings } = openBox();
    const { world, patient } = await createTelling({ ...mailing, ...settings });
    const { token } = patient;
    const { body: before } = await world.request(path, { token });
    expect(before.data).toMatchObject({
      email: true,
      message: true,
      language: 'id',
      channels: ['email', 'message'],
    });
    expect(before.data.kinds).toHaveLength(9);
    const change = async (body: object) =>
      (await world.request(path, { method: 'PATCH', token, body })).body.data;
    await change({ message: false });
    await change({ kinds: ['canceled', 'moved'] });
    const after = await change({ language: 'en' });
    expect(after).toMatchObject({
      email: true,
      message: false,
      kinds: ['canceled', 'moved'],
      language: 'en',
    });
    expect((await world.request(path, { token })).body.data).toEqual(after);
  });

  it('hold for what is planned and for what waits already', async () => {
    const telling = await createTelling();
    const { world, patient } = telling;
    const choose = (body: object) => world.request(path, { method: 'PATCH', token: patient.token, body });
    await choose({ kinds: ['canceled'] });
    const id = await book(telling);
    await act(telling, id, 'approve');
    await tell(world);
    expect(await logOf(world)).toEqual([]);
    const working = world.deps.mailer;
    world.deps.mailer = { reachesPeople: true, send: () => Promise.reject(new Error('down')) };
    await act(telling, id, 'cancel');
    await tell(world);
    world.deps.mailer = working;
    await choose({ email: false });
    world.clock.now += 60_000;
    await tell(world);
    expect(await logOf(world)).toEqual(['canceled email dropped stopped']);
    expect(world.mails).toEqual([]);
  });

  it('go with the account', async () => {
    const { world, patient } = await createTelling();
    const { token } = patient;
    await world.request(path, { method: 'PATCH', token, body: { email: false } });
    expect((await world.request('/v1/auth/account', { method: 'DELETE', token })).status).toBe(200);
    expect((await world.request(path, { token })).status).toBe(401);
  });
});

describe('the link to stop', () => {
  const mailed = async () => {
    const telling = await createTelling();
    await act(telling, await book(telling), 'approve');
    await tell(telling.world);
    return { ...telling, link: stopLinkIn(telling.world) };
  };

  it('is in every mail, for its reader and for mail programs (RFC 8058)', async () => {
    const { world, link } = await mailed();
    expect(world.mails[0]?.headers).toEqual({
      'List-Unsubscribe': `<https://janji.klinik.example${link}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
    expect(world.mails[0]?.text).toContain(`https://janji.klinik.example${link}\n`);
  });

  it('stops e-mails by one click without a login, and by nothing less', async () => {
    const { world, patient, link } = await mailed();
    const isOn = async () => (await world.request(path, { token: patient.token })).body.data.email;
    const page = await askPage(world, link, { headers: { 'Accept-Language': 'en' } });
    expect(page.status).toBe(200);
    expect(page.headers.get('Content-Type')).toContain('text/html');
    expect(page.body).toContain('<form method="post"><button>Stop e-mails</button></form>');
    expect(await isOn()).toBe(true);
    const done = await askPage(world, link, { raw: 'List-Unsubscribe=One-Click', headers: oneClick });
    expect(done.status).toBe(200);
    expect(done.body).toContain('Anda tidak akan menerima email lagi');
    expect(await isOn()).toBe(false);
    expect((await askPage(world, link, { method: 'POST' })).status).toBe(200);
    expect(await isOn()).toBe(false);
  });

  it('is nobody’s where one character of it is another', async () => {
    const { world, patient, link } = await mailed();
    const last = link.at(-1) === 'A' ? 'B' : 'A';
    for (const wrong of [`${link.slice(0, -1)}${last}`, link.slice(0, -1), '/notices/stop/x']) {
      expect((await askPage(world, wrong)).status).toBe(404);
      expect((await askPage(world, wrong, { raw: 'x', headers: oneClick })).status).toBe(404);
    }
    expect((await world.request(path, { token: patient.token })).body.data.email).toBe(true);
  });

  it('works for a patient without an account, whom the desk has noted an e-mail of', async () => {
    const telling = await createTelling();
    const { world, practice, staff } = telling;
    const record = { name: 'Ibu Tanpa Akun', birth_date: '1950-01-01', email: 'ibu@klinik.example' };
    const { body } = await world.request('/v1/patients', { token: staff.token, body: record });
    const visit = {
      doctor_id: practice.doctorId,
      session_id: practice.sessionId,
      schedule_date: '2026-11-23',
      schedule_time: '11:00:00',
      patient_id: body.data.id,
    };
    const made = await world.request('/v1/bookings', { token: staff.token, body: visit });
    await tell(world);
    expect(world.mails.map(({ to }) => to)).toEqual(['ibu@klinik.example']);
    expect((await askPage(world, stopLinkIn(world), { raw: 'x', headers: oneClick })).status).toBe(200);
    await act(telling, made.body.data.id, 'cancel');
    await tell(world);
    expect(world.mails).toHaveLength(1);
  });

  it('goes on to hold, and to work, when the record is merged into another', async () => {
    const telling = await createTelling();
    const { world, practice, staff } = telling;
    const add = async (fields: object) => {
      const body = { name: 'Ibu Tanpa Akun', birth_date: '1950-01-01', confirm: true, ...fields };
      return (await world.request('/v1/patients', { token: staff.token, body })).body.data.id as string;
    };
    const bookAt = async (patient_id: string, schedule_time: string) => {
      const { doctorId: doctor_id, sessionId: session_id } = practice;
      const visit = { doctor_id, session_id, schedule_date: '2026-11-23', schedule_time, patient_id };
      return (await world.request('/v1/bookings', { token: staff.token, body: visit })).status;
    };
    const [source, target] = [await add({ email: 'ibu@klinik.example' }), await add({})];
    expect(await bookAt(source, '11:00:00')).toBe(201);
    await tell(world);
    const stop = () => askPage(world, stopLinkIn(world), { raw: 'x', headers: oneClick });
    await stop();
    const merge = { token: staff.token, body: { into: target } };
    expect((await world.request(`/v1/patients/${source}/merge`, merge)).status).toBe(200);
    expect(await bookAt(target, '11:30:00')).toBe(201);
    await tell(world);
    expect(world.mails).toHaveLength(1);
    await world.db.update(noticeChoices).set({ email: true });
    await stop();
    expect(await world.db.select().from(noticeChoices)).toMatchObject([{ personId: target, email: false }]);
  });
});
