import { describe, expect, it } from 'vitest';
import { MailRefused } from '../../src/core/mailer.ts';
import { securityEvents } from '../../src/core/tables/accounts.ts';
import { mailOutbox } from '../../src/core/tables/mail.ts';
import { sendDueMail } from '../../src/modules/auth/mail/send.ts';
import { createAdmin } from '../support/admin.ts';
import { beforeRoundTrip } from '../support/interleave.ts';
import { addDevice } from '../support/people.ts';
import { createWorld, password, registerPatient } from '../support/world.ts';

const wished = 'putri.baru@klinik.example';

const setUp = async () => {
  const world = await createWorld({ MAIL_API_URL: 'https://mail.example/send' });
  const person = await registerPatient(world);
  await Promise.all(world.background.splice(0));
  world.mails.splice(0);
  const ask = async (email: string) => {
    const got = await world.request('/v1/auth/email/change', { token: person.token, body: { email } });
    await Promise.all(world.background.splice(0));
    return got;
  };
  const prove = (code: string) =>
    world.request('/v1/auth/email/change/verify', { token: person.token, body: { code } });
  const codeFor = (to: string) =>
    /\n(\d{4} \d{4})\n/.exec(world.mails.findLast((mail) => mail.to === to)?.text ?? '')?.[1] ?? '';
  const logIn = (email: string) => world.request('/v1/auth/login', { body: { email, password } });
  return { world, person, ask, prove, codeFor, logIn };
};

describe('another e-mail', () => {
  it('is the login once the code that was mailed to it was entered, and not before', async () => {
    const { world, person, ask, prove, codeFor, logIn } = await setUp();
    expect((await ask(wished)).status).toBe(202);
    expect(world.mails.map(({ to }) => to).sort()).toEqual([person.email, wished].sort());
    expect((await logIn(wished)).status).toBe(401);
    const other = await addDevice(world, person.id);
    const changed = await prove(codeFor(wished));
    expect([changed.status, changed.body.data.user.email]).toEqual([200, wished]);
    expect([(await logIn(wished)).status, (await logIn(person.email)).status]).toEqual([200, 401]);
    const profile = (token: string) => world.request('/v1/auth/profile', { token });
    expect((await profile(person.token)).body.data).toMatchObject({ email_proved: true });
    expect((await profile(other.token)).status).toBe(401);
    expect((await prove(codeFor(wished))).status).toBe(422);
    const types = (await world.db.select().from(securityEvents)).map(({ type }) => type);
    expect(types).toContain('email_change_asked');
    expect(types.filter((type) => type === 'email_changed')).toHaveLength(1);
  });

  it('is told to the one before, though that mail leaves only after the change', async () => {
    const { world, person, ask, prove, codeFor } = await setUp();
    const { mailer } = world.deps;
    world.deps.mailer = {
      ...mailer,
      send: async (mail) => {
        if (mail.to === person.email) throw new MailRefused('HTTP 503');
        await mailer.send(mail);
      },
    };
    await ask(wished);
    const waiting = async () =>
      (await world.db.select().from(mailOutbox)).flatMap((row) => row.address ?? []);
    expect(await waiting()).toEqual([person.email]);
    expect((await prove(codeFor(wished))).status).toBe(200);
    world.deps.mailer = mailer;
    world.clock.now += 60_000;
    await sendDueMail(world.deps);
    expect(world.mails.map(({ to }) => to)).toEqual([wished, person.email]);
    // Whose that address is by now, nobody knows.
    expect(world.mails[1]?.text).toMatch(/^Yth\. Bapak\/Ibu,/);
    expect(await waiting()).toEqual([]);
  });

  it('ends the calendar addresses that were made before', async () => {
    const { world, person, ask, prove, codeFor } = await setUp();
    const made = await world.request('/v1/calendar-feeds', { token: person.token, body: {} });
    const read = async () => (await world.request(made.body.data.path)).status;
    await ask(wished);
    expect([(await prove('00000000')).status, await read()]).toEqual([422, 200]);
    expect([(await prove(codeFor(wished))).status, await read()]).toEqual([200, 404]);
  });

  it('is how the clinic finds the person from then on', async () => {
    const { world, person, ask, prove, codeFor } = await setUp();
    const admin = await createAdmin(world);
    await ask(wished);
    world.clock.now += 60_000;
    await prove(codeFor(wished));
    const since = new Date(world.clock.now).toISOString();
    const changed = (await admin.get(`/v1/patients?updated_since=${since}`)).body.data;
    expect(changed).toMatchObject([{ id: person.id, email: wished }]);
    const found = async (q: string) =>
      (await admin.get(`/v1/admin/people?q=${encodeURIComponent(q)}`)).body.data.length;
    expect([await found(wished), await found(person.email)]).toEqual([1, 0]);
  });

  it('that somebody has is answered alike, mails nothing to them, and never becomes the login', async () => {
    const { world, ask, prove } = await setUp();
    const owner = await registerPatient(world);
    await Promise.all(world.background.splice(0));
    world.mails.splice(0);
    expect((await ask(owner.email)).status).toBe(202);
    expect(world.mails.map(({ to }) => to)).not.toContain(owner.email);
    expect((await prove('12345678')).status).toBe(422);
  });

  it('that somebody registered meanwhile is refused', async () => {
    const { world, ask, prove, codeFor } = await setUp();
    await ask(wished);
    await registerPatient(world, { email: wished });
    expect((await prove(codeFor(wished))).status).toBe(422);
  });

  it('is given up after five wrong codes, after half an hour, and for the one asked for last', async () => {
    const { world, ask, prove, codeFor } = await setUp();
    await ask(wished);
    const code = codeFor(wished);
    const wrong = `${code.slice(0, -1)}${(Number(code.at(-1)) + 1) % 10}`;
    for (let tries = 0; tries < 5; tries++) expect((await prove(wrong)).status).toBe(422);
    expect((await prove(code)).status).toBe(422);
    await ask(wished);
    const second = codeFor(wished);
    await ask('lain@klinik.example');
    expect((await prove(second)).status).toBe(422);
    const third = codeFor('lain@klinik.example');
    world.clock.now += 30 * 60_000 + 1;
    expect((await prove(third)).status).toBe(422);
  });

  it('voids a way to a new password that was mailed to the old one', async () => {
    const { world, person, ask, prove, codeFor } = await setUp();
    await world.request('/v1/auth/password/forgot', { body: { email: person.email } });
    await Promise.all(world.background.splice(0));
    const token = /^[\w-]{43}$/m.exec(world.mails.at(-1)?.text ?? '')?.[0];
    await ask(wished);
    await prove(codeFor(wished));
    const body = { token, password: 'sandi-baru-17', password_confirmation: 'sandi-baru-17' };
    expect((await world.request('/v1/auth/password/reset', { body })).body.code).toBe('reset_token_invalid');
  });

  it.each([1, 2, 3, 4])('is not set by a device that is logged out before round trip %i', async (nth) => {
    const { world, person, ask, prove, codeFor } = await setUp();
    await ask(wished);
    const { db } = world;
    beforeRoundTrip(world, nth, () =>
      world.request('/v1/auth/logout', { method: 'POST', token: person.token }),
    );
    const set = await prove(codeFor(wished));
    world.deps.db = db;
    expect([200, 401]).toContain(set.status);
    const lines = (await db.select().from(securityEvents)).map(({ type }) => type);
    expect(lines.filter((type) => type === 'email_changed')).toHaveLength(set.status === 200 ? 1 : 0);
    if (set.status === 200 && lines.includes('logout'))
      expect(lines.indexOf('email_changed')).toBeLessThan(lines.indexOf('logout'));
  });

  it('is refused where it is the one that the account has', async () => {
    const { person, ask } = await setUp();
    expect((await ask(person.email)).status).toBe(422);
  });

  it('is begun by an admin, too, and proved by the person', async () => {
    const { world, person, prove, codeFor, logIn } = await setUp();
    const admin = await createAdmin(world);
    const asked = await admin.post(`/v1/admin/people/${person.id}/email`, { email: wished });
    await Promise.all(world.background.splice(0));
    expect([asked.status, world.mails.map(({ to }) => to).sort()]).toEqual([
      202,
      [person.email, wished].sort(),
    ]);
    const [event] = (await world.db.select().from(securityEvents)).slice(-1);
    expect(event).toMatchObject({ type: 'email_change_asked', userId: person.id, actorId: admin.id });
    const body = { code: codeFor(wished) };
    const byAdmin = await world.request('/v1/auth/email/change/verify', { token: admin.token, body });
    expect(byAdmin.status).toBe(422);
    expect((await prove(codeFor(wished))).status).toBe(200);
    expect((await logIn(wished)).status).toBe(200);
  });
});
