import { eq, sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { MailRefused } from '../../src/core/mailer.ts';
import { deviceLogins, securityEvents, users } from '../../src/core/tables/accounts.ts';
import { bookings } from '../../src/core/tables/bookings.ts';
import { consents } from '../../src/core/tables/consents.ts';
import { mailOutbox } from '../../src/core/tables/mail.ts';
import { recordMatches } from '../../src/core/tables/matches.ts';
import { familyRelations, patients } from '../../src/core/tables/patients.ts';
import { waitlistEntries } from '../../src/core/tables/queues.ts';
import { sendDueMail } from '../../src/modules/auth/mail/send.ts';
import { deriveStopToken } from '../../src/modules/notices/stop-token.ts';
import { belongings } from '../../src/modules/patients/erasure/belongings-queries.ts';
import {
  type Account,
  accountAfter,
  refuseJoin,
  waysTaken,
} from '../../src/modules/patients/merge/join-rules.ts';
import { codeOf, createGuarded, enrol, everybodyConfirms } from '../support/factors.ts';
import { beforeRoundTrip } from '../support/interleave.ts';
import { findViolations } from '../support/invariants.ts';
import { createTwice } from '../support/joining.ts';
import { askPage } from '../support/notices.ts';
import { createPerson } from '../support/people.ts';
import { ask, codeIn, enter, person, verify, word } from '../support/phone-codes.ts';
import { password, registerPatient } from '../support/world.ts';

const child = { name: 'Anak Putri', birth_date: '2019-04-23', relation: 'child' };

describe('the join of two accounts of one person', () => {
  it('ends one, whose phone opens the other from then on, with the visits of both', async () => {
    const { phones, world, sent, byMail, byPhone, join, bookAs, accountOf } = await createTwice();
    const own = await bookAs(byMail.token);
    const other = await bookAs(byPhone.token, { schedule_time: '10:00:00' });
    const before = await accountOf(byPhone.id);
    const answer = await join(byPhone.id, byMail.id);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({
      id: byMail.id,
      merged_id: byPhone.id,
      bookings: 1,
      accounts: { taken: ['login_phone'], email: null, login_phone: `+${word}`, birth_dates: 'same' },
      dry_run: false,
    });
    expect(await accountOf(byPhone.id)).toBeUndefined();
    expect(await accountOf(byMail.id)).toMatchObject({
      email: byMail.email,
      loginPhone: word,
      phoneProvedAt: before?.phoneProvedAt,
      phoneNumber: '81399990000',
    });
    expect((await world.request('/v1/auth/profile', { token: byPhone.token })).status).toBe(401);
    const history = await world.request('/v1/bookings/history', { token: byMail.token });
    expect(history.body.data.map(({ id }: { id: string }) => id).sort()).toEqual([own, other].sort());
    // Both addresses are told, each once.
    expect(world.mails.map(({ to, subject }) => [to, subject])).toEqual([
      [byMail.email, 'Kedua akun Anda telah digabungkan'],
    ]);
    expect(sent.map(({ body }) => JSON.parse(body)).map(({ to, template }) => [to, template.name])).toEqual([
      [`+${word}`, 'janji_accounts_joined'],
    ]);
    await ask(phones);
    expect((await verify(phones, { code: codeIn(phones) })).body.data.user.id).toBe(byMail.id);
    const login = { email: byMail.email, password };
    expect((await world.request('/v1/auth/login', { body: login })).status).toBe(200);
    const lines = (await world.db.select().from(securityEvents)).filter(
      ({ type }) => type === 'accounts_joined',
    );
    expect(lines).toMatchObject([{ userId: byMail.id, patientId: byPhone.id }]);
    expect(JSON.parse(lines[0]?.detail ?? '')).toEqual({
      patient_id: byPhone.id,
      into: byMail.id,
      bookings: 1,
      done: 1,
    });
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('gives a proved e-mail to an account that has none, and no password', async () => {
    const { world, byMail, byPhone, join, accountOf, sent } = await createTwice();
    const answer = await join(byMail.id, byPhone.id);
    expect(answer.body.data.accounts).toEqual({
      taken: ['email'],
      email: byMail.email,
      login_phone: null,
      birth_dates: 'same',
    });
    expect(await accountOf(byPhone.id)).toMatchObject({
      email: byMail.email,
      loginPhone: word,
      phoneNumber: '81234567890',
    });
    const profile = await world.request('/v1/auth/profile', { token: byPhone.token });
    expect(profile.body.data).toMatchObject({
      user: { email: byMail.email },
      email_proved: true,
      has_password: false,
    });
    const login = { email: byMail.email, password };
    expect(codeOf(await world.request('/v1/auth/login', { body: login }))).toBe('401 invalid_credentials');
    const refresh = { refresh_token: byMail.refreshToken };
    expect((await world.request('/v1/auth/refresh', { body: refresh })).status).toBe(401);
    expect(world.mails.map(({ to }) => to)).toEqual([byMail.email]);
    expect(sent).toHaveLength(1);
    await world.request('/v1/auth/password/forgot', { body: { email: byMail.email } });
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('replaces no address that the account has, and leaves the other to whoever proves it', async () => {
    const { phones, world, sent, byMail, byPhone, join, at, accountOf } = await createTwice();
    const lost = 'lama@klinik.example';
    await at(byPhone.id, { email: lost, emailProvedAt: 1 });
    await at(byMail.id, { loginPhone: '6281311112222', phoneProvedAt: world.clock.now });
    expect((await join(byPhone.id, byMail.id)).body.data.accounts.taken).toEqual([]);
    expect(await accountOf(byMail.id)).toMatchObject({ email: byMail.email, loginPhone: '6281311112222' });
    expect(world.mails.map(({ to, subject }) => [to, subject]).sort()).toEqual(
      [lost, byMail.email].map((to) => [to, 'Kedua akun Anda telah digabungkan']).sort(),
    );
    expect(sent.map(({ body }) => JSON.parse(body).to).sort()).toEqual([`+${word}`, '+6281311112222']);
    expect((await enter(phones)).id).not.toBe(byPhone.id);
    expect((await registerPatient(world, { email: lost })).id).toEqual(expect.any(String));
  });

  it('tells the e-mail that is given up until it arrives, in its own language, and then forgets it', async () => {
    const { world, byMail, byPhone, join, at } = await createTwice();
    const lost = 'lama@klinik.example';
    await at(byPhone.id, { email: lost, emailProvedAt: 1 });
    const path = '/v1/auth/notices';
    const chosen = await world.request(path, {
      token: byPhone.token,
      method: 'PATCH',
      body: { language: 'en' },
    });
    expect(chosen.status).toBe(200);
    const { mailer } = world.deps;
    world.deps.log.warn = () => {};
    world.deps.mailer = { ...mailer, send: () => Promise.reject(new MailRefused('HTTP 503')) };
    expect((await join(byPhone.id, byMail.id)).status).toBe(200);
    const mailsOf = async () =>
      (await world.request('/v1/auth/export', { method: 'POST', token: byMail.token })).body.data.mails;
    expect((await mailsOf()).map(({ address }: { address: string }) => address)).toContain(lost);
    world.deps.mailer = mailer;
    world.clock.now += 60_000;
    await sendDueMail(world.deps);
    expect(world.mails.map(({ to, subject }) => [to, subject])).toEqual(
      expect.arrayContaining([
        [lost, 'Your two accounts were joined'],
        [byMail.email, 'Kedua akun Anda telah digabungkan'],
      ]),
    );
    expect(world.mails).toHaveLength(2);
    expect(JSON.stringify(await world.db.select().from(mailOutbox))).not.toContain(lost);
  });

  it('names nobody to an e-mail that is given up, which may be that of somebody else', async () => {
    const { world, byMail, byPhone, join, at } = await createTwice();
    await at(byPhone.id, { email: 'lama@klinik.example', emailProvedAt: 1 });
    expect((await join(byPhone.id, byMail.id)).status).toBe(200);
    const greetings = world.mails.map(({ to, text }) => [to, text.split('\n')[0]]);
    expect(greetings).toHaveLength(2);
    expect(greetings).toEqual(
      expect.arrayContaining([
        ['lama@klinik.example', 'Yth. Bapak/Ibu,'],
        [byMail.email, 'Yth. Putri Ayu Lestari,'],
      ]),
    );
  });

  /** A join while no mail leaves: that to the address that was given up waits. And a third account, for another join. */
  const joinUnsent = async () => {
    const twice = await createTwice();
    const { world, byMail, byPhone, join, at, born } = twice;
    const lost = 'lama@klinik.example';
    const third = await registerPatient(world, { email: 'ketiga@klinik.example' });
    await at(third.id, { emailProvedAt: 1 });
    await born(third.id, person.birth_date);
    await at(byPhone.id, { email: lost, emailProvedAt: 1 });
    const { mailer } = world.deps;
    world.deps.log.warn = () => {};
    world.deps.mailer = { ...mailer, send: () => Promise.reject(new MailRefused('HTTP 503')) };
    expect((await join(byPhone.id, byMail.id)).status).toBe(200);
    const letLeave = () => {
      world.deps.mailer = mailer;
      world.mails.splice(0);
      world.clock.now += 60_000;
    };
    return { ...twice, third, lost, letLeave };
  };

  it('tells it though the account that stayed ends in another join before that mail leaves', async () => {
    const { world, byMail, join, third, lost, letLeave } = await joinUnsent();
    expect((await join(byMail.id, third.id)).status).toBe(200);
    letLeave();
    await sendDueMail(world.deps);
    expect(world.mails.map(({ to }) => to).sort()).toEqual([byMail.email, third.email, lost].sort());
  });

  it('tells it though that account ends after its mail was claimed', async () => {
    const { world, byMail, join, third, lost, letLeave } = await joinUnsent();
    letLeave();
    let second = 0;
    beforeRoundTrip(world, 2, async () => {
      second = (await join(byMail.id, third.id)).status;
    });
    await sendDueMail(world.deps);
    expect(second).toBe(200);
    expect(world.mails.map(({ to }) => to)).toContain(lost);
  });

  it('tells a phone until the message arrives, under one key, and then forgets the number', async () => {
    const { phones, world, byMail, byPhone, join, sent, settle } = await createTwice();
    const { sendMessage } = world.deps;
    const keys: (string | undefined)[] = [];
    for (const outcome of [{ failure: 'connection' }, { status: 503 }] as const) {
      world.deps.sendMessage = async ({ headers }) => {
        keys.push(headers['Idempotency-Key']);
        return outcome;
      };
      if (keys.length === 0) expect((await join(byPhone.id, byMail.id)).status).toBe(200);
      else await sendDueMail(world.deps);
      world.clock.now += 60_000;
    }
    expect([sent, new Set(keys).size, keys.length]).toEqual([[], 1, 2]);
    expect(phones.logged.filter((line) => line.includes('message not sent'))).toHaveLength(2);
    expect(phones.logged.join()).not.toContain(word);
    world.deps.sendMessage = sendMessage;
    for (let time = 0; time < 2; time++) await sendDueMail(world.deps);
    await settle();
    expect(sent.map(({ body, headers }) => [JSON.parse(body).to, headers['Idempotency-Key']])).toEqual([
      [`+${word}`, keys[0]],
    ]);
    expect(JSON.stringify(await world.db.select().from(mailOutbox))).not.toContain(word);
  });

  it('gives a message up that the gateway does not know, and one for which there is no gateway any more', async () => {
    for (const isOff of [false, true]) {
      const { world, byMail, byPhone, join } = await createTwice();
      let tried = 0;
      world.deps.sendMessage = async () => {
        tried += 1;
        return { status: isOff ? 503 : 404 };
      };
      expect((await join(byPhone.id, byMail.id)).status).toBe(200);
      if (isOff) world.deps.config = { ...world.deps.config, LOGIN_BY_PHONE_CODE: 'off' };
      world.clock.now += 60_000;
      await sendDueMail(world.deps);
      const rows = (await world.db.select().from(mailOutbox)).filter(({ kind }) => kind === 'phone_joined');
      expect([tried, rows.map(({ failedAt, address }) => [failedAt !== null, address])]).toEqual([
        1,
        [[true, null]],
      ]);
    }
  });

  it('gives the address up with the last attempt', async () => {
    const { world, byMail, byPhone, join, at } = await createTwice();
    await at(byPhone.id, { email: 'lama@klinik.example', emailProvedAt: 1 });
    world.deps.log.warn = () => {};
    world.deps.mailer = {
      ...world.deps.mailer,
      send: () => Promise.reject(new MailRefused('HTTP 400', true)),
    };
    expect((await join(byPhone.id, byMail.id)).status).toBe(200);
    const rows = (await world.db.select().from(mailOutbox)).filter(({ kind }) => kind === 'accounts_joined');
    expect(rows.map(({ failedAt, address }) => [failedAt !== null, address])).toEqual([
      [true, null],
      [true, null],
    ]);
  });

  it('leaves the mails that were sent of the account that ended in the copy of the data', async () => {
    const { world, byMail, byPhone, join, settle } = await createTwice();
    await world.request('/v1/auth/password/forgot', { body: { email: byMail.email } });
    await settle();
    expect((await join(byMail.id, byPhone.id)).status).toBe(200);
    const copy = await world.request('/v1/auth/export', { method: 'POST', token: byPhone.token });
    expect(copy.body.data.mails.map(({ kind }: { kind: string }) => kind)).toContain('password_reset');
  });

  it('lets the links in earlier mails stop those of the account that stays, whose person asked for none', async () => {
    const { world, byMail, byPhone, join } = await createTwice();
    const link = `/notices/stop/${await deriveStopToken(world.deps, byMail.id)}`;
    expect((await join(byMail.id, byPhone.id)).status).toBe(200);
    const choices = async () =>
      (await world.request('/v1/auth/notices', { token: byPhone.token })).body.data.email;
    expect([(await askPage(world, link)).status, await choices()]).toEqual([200, true]);
    expect((await askPage(world, link, { method: 'POST' })).status).toBe(200);
    expect(await choices()).toBe(false);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('moves family, consents, bookings for others and places on the waitlist, each once', async () => {
    const { world, clinic, byMail, byPhone, join, bookAs } = await createTwice();
    const add = async (token: string, body: object) =>
      (await world.request('/v1/family', { token, body })).body.data.id as string;
    const [kid, both] = [
      await add(byPhone.token, child),
      await add(byPhone.token, { ...child, name: 'Kakak' }),
    ];
    await world.db.insert(familyRelations).values([
      { accountId: byMail.id, patientId: both, relation: 'child', createdAt: 1, endedAt: 2 },
      { accountId: byMail.id, patientId: byPhone.id, relation: 'spouse', createdAt: 1 },
      { accountId: byPhone.id, patientId: byMail.id, relation: 'spouse', createdAt: 1 },
    ]);
    const forKid = await bookAs(byPhone.token, { patient_id: kid, schedule_time: '11:00:00' });
    const wait = async (token: string, more: object) => {
      const body = { session_id: clinic.practice.sessionId, from: '2026-11-25', to: '2026-11-27', ...more };
      const { status } = await world.request('/v1/waitlist', { token, body });
      expect(status).toBe(201);
    };
    await wait(byPhone.token, {});
    await wait(byPhone.token, { patient_id: kid });
    await world.request('/v1/auth/consents', { token: byPhone.token, body: { version: '1', agreed: true } });
    const given = (await world.db.select().from(consents)).length;
    expect((await join(byPhone.id, byMail.id)).status).toBe(200);
    const relations = await world.db.select().from(familyRelations);
    expect(
      relations.map(({ accountId, patientId, endedAt }) => [accountId, patientId, endedAt]).sort(),
    ).toEqual([kid, both].map((id) => [byMail.id, id, null]).sort());
    const [visit] = (await world.db.select().from(bookings)).filter(({ id }) => id === forKid);
    expect(visit?.createdBy).toBe(byMail.id);
    const entries = await world.db.select().from(waitlistEntries);
    expect(
      entries.map(({ patientId, familyAccount, createdBy }) => [patientId, familyAccount, createdBy]),
    ).toEqual(
      expect.arrayContaining([
        [byMail.id, null, byMail.id],
        [kid, byMail.id, byMail.id],
      ]),
    );
    const owners = (await world.db.select().from(consents)).map(({ userId }) => userId);
    expect(owners).toEqual(Array.from({ length: given }, () => byMail.id));
    const cancel = await world.request(`/v1/bookings/${forKid}/cancel`, {
      method: 'POST',
      token: byMail.token,
    });
    expect(cancel.status).toBe(200);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('leaves nothing of the account that ended but ids in what was recorded', async () => {
    const { world, byMail, byPhone, join, bookAs } = await createTwice();
    await bookAs(byMail.token);
    await enrol(world, byMail.token);
    await everybodyConfirms(world);
    await world.request('/v1/calendar-feeds', { token: byMail.token, body: {} });
    await world.request('/v1/holds', { token: byMail.token, body: {} });
    await world.request('/v1/auth/password/forgot', { body: { email: byMail.email } });
    await world.request('/v1/auth/email/change', {
      token: byMail.token,
      body: { email: 'x@klinik.example' },
    });
    await world.request('/v1/auth/phone/change', { token: byMail.token, body: { phone: '0812-3456-7000' } });
    await world.request('/v1/auth/code', { body: { email: byMail.email } });
    expect((await join(byMail.id, byPhone.id)).status).toBe(200);
    const left: string[] = [];
    for (const { column } of belongings) {
      const rows = await world.db
        .select({ owner: column })
        .from(column.table)
        .where(sql`${column} = ${byMail.id}`);
      if (rows.length > 0) left.push(column.name);
    }
    expect(left).toEqual([]);
    expect((await world.db.select().from(deviceLogins)).map(({ userId }) => userId)).not.toContain(byMail.id);
    // What was sent before opens nothing.
    const code = /\n(\d{3} \d{3})\n/.exec(world.mails.map(({ text }) => text).join('\n'))?.[1] ?? '';
    expect(code).not.toBe('');
    const body = { email: byMail.email, code };
    expect(codeOf(await world.request('/v1/auth/code/verify', { body }))).toBe('401 login_code_invalid');
  });

  it('keeps the second factor of the account that stays, and a login that waits for the other’s ends', async () => {
    const { world, byPhone, join, at, born } = await createTwice();
    const guarded = await createGuarded(world);
    await at(guarded.id, { emailProvedAt: 1 });
    await born(guarded.id, '1990-05-17');
    await everybodyConfirms(world);
    expect((await join(byPhone.id, guarded.id)).status).toBe(200);
    expect(codeOf(await guarded.logIn())).toBe('401 second_factor_required');
    const challenge = await guarded.challenge();
    const keeper = await registerPatient(world, { phone_number: '81399991111' });
    await at(keeper.id, { emailProvedAt: 1 });
    await born(keeper.id, '1990-05-17');
    expect((await join(guarded.id, keeper.id)).status).toBe(200);
    expect(codeOf(await guarded.step({ challenge, code: guarded.code() }))).toBe('401 challenge_invalid');
  });

  it('is asked for by the desk alone, in so many words, after a recent login', async () => {
    const { world, clinic, byMail, byPhone, join } = await createTwice();
    expect((await join(byPhone.id, byMail.id, {}, {}, clinic.doctor)).status).toBe(403);
    expect((await join(byPhone.id, byMail.id, {}, {}, byMail as never)).status).toBe(403);
    const without = await join(byPhone.id, byMail.id, { join_accounts: false });
    expect(codeOf(without)).toBe('409 patient_has_account');
    const shown = await join(byPhone.id, byMail.id, { join_accounts: undefined, dry_run: true });
    expect(shown.body.data).toMatchObject({ accounts: { login_phone: `+${word}` }, dry_run: true });
    const record = await world.request('/v1/patients', {
      token: clinic.staff.token,
      body: { name: 'Putri', phone_number: '81355500001', phone_country_code: '62', confirm: true },
    });
    expect(codeOf(await join(byPhone.id, record.body.data.id))).toBe('409 patient_has_account');
    world.clock.now += 10 * 60_000 + 1;
    expect(codeOf(await join(byPhone.id, byMail.id))).toBe('403 reauthentication_required');
    await everybodyConfirms(world);
    expect((await join(byPhone.id, byMail.id, {}, {}, clinic.admin)).status).toBe(200);
  });

  it.each([
    ['another', '1991-01-01', 'different'],
    ['no', null, 'unknown'],
  ] as const)('with %s date of birth wants the desk to confirm', async (_, birthDate, birth_dates) => {
    const { byMail, byPhone, join, born } = await createTwice();
    await born(byMail.id, birthDate);
    expect(codeOf(await join(byPhone.id, byMail.id))).toBe('409 birth_dates_differ');
    const shown = await join(byPhone.id, byMail.id, { dry_run: true });
    expect(shown.body.data.accounts.birth_dates).toBe(birth_dates);
    expect((await join(byPhone.id, byMail.id, { confirm: true })).status).toBe(200);
  });

  it('never takes an account of the clinic, one that was shut, or one that nobody proved to stay', async () => {
    const { world, byMail, byPhone, join, bookAs, at } = await createTwice();
    const more = { confirm: true };
    const staff = await createPerson(world, 'staff');
    // The desk sees nobody who works here as a patient, unless they have visited as one.
    expect(codeOf(await join(staff.id, byMail.id, more))).toBe('404 not_found');
    await bookAs(byPhone.token);
    await at(byPhone.id, { role: 'doctor' });
    expect(codeOf(await join(byPhone.id, byMail.id, more))).toBe('409 patient_works_here');
    expect(codeOf(await join(byMail.id, byPhone.id, more))).toBe('409 patient_works_here');
    await at(byPhone.id, { role: 'patient' });
    await at(byPhone.id, { deactivatedAt: 1 });
    expect(codeOf(await join(byPhone.id, byMail.id, more))).toBe('409 account_deactivated');
    expect(codeOf(await join(byMail.id, byPhone.id, more))).toBe('409 account_deactivated');
    await at(byPhone.id, { deactivatedAt: null });
    await at(byMail.id, { emailProvedAt: null });
    expect(codeOf(await join(byPhone.id, byMail.id, more))).toBe('409 account_unproved');
    // The unproved one may end, and its address is nobody's then.
    expect((await join(byMail.id, byPhone.id, more)).body.data.accounts.taken).toEqual([]);
    expect(world.mails).toEqual([]);
  });

  it('keeps no account whose e-mail somebody else may still prove, though a phone opens it', async () => {
    const { world, byMail, byPhone, join, at, accountOf } = await createTwice();
    // Registered with an address that may be a stranger's: its owner's reset of the password takes the phone off.
    await at(byMail.id, { emailProvedAt: null, loginPhone: '6281311112222', phoneProvedAt: world.clock.now });
    expect(codeOf(await join(byPhone.id, byMail.id))).toBe('409 account_unproved');
    expect((await join(byMail.id, byPhone.id)).status).toBe(200);
    expect(await accountOf(byPhone.id)).toMatchObject({ email: null, loginPhone: word });
  });

  it('takes the number for messages from no account that nobody proved', async () => {
    const none = { phoneNumber: '', phoneCountryCode: '' };
    for (const [emailProvedAt, number, taken] of [
      [null, '', false],
      [1, '81399990000', true],
    ] as const) {
      const { world, byMail, byPhone, join, at, accountOf } = await createTwice();
      await at(byPhone.id, none);
      await world.db.update(patients).set(none).where(eq(patients.id, byPhone.id));
      await at(byMail.id, { emailProvedAt });
      const { status, body } = await join(byMail.id, byPhone.id);
      expect([status, body.data.taken.includes('phone_number')]).toEqual([200, taken]);
      expect((await accountOf(byPhone.id))?.phoneNumber).toBe(number);
      expect(await findViolations(world.db)).toEqual([]);
    }
  });

  it('offers a record no longer that was declined for either of the two', async () => {
    const { world, clinic, byMail, byPhone, join } = await createTwice();
    const body = { name: 'Ibu Putri', birth_date: '1990-05-17', confirm: true };
    const record = await world.request('/v1/patients', { token: clinic.staff.token, body });
    const patientId = record.body.data.id as string;
    const declined = { decision: 'declined', decidedBy: clinic.staff.id, settledAt: 1 } as const;
    await world.db.insert(recordMatches).values([
      { id: world.deps.newId(), accountId: byMail.id, patientId, createdAt: 1, ...declined },
      { id: world.deps.newId(), accountId: byPhone.id, patientId, createdAt: 1 },
    ]);
    expect((await join(byMail.id, byPhone.id)).status).toBe(200);
    expect(await world.db.select().from(recordMatches)).toMatchObject([
      { accountId: byPhone.id, patientId, ...declined },
    ]);
  });

  it('is refused with both bookings where the two are booked at the same time', async () => {
    const { world, byMail, byPhone, join, bookAs, accountOf } = await createTwice();
    await bookAs(byMail.token);
    await bookAs(byPhone.token);
    const refused = await join(byPhone.id, byMail.id);
    expect([refused.body.code, refused.body.conflicts]).toEqual(['merge_conflict', [expect.anything()]]);
    expect(await accountOf(byPhone.id)).toBeDefined();
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('is in the copy of the data, and nothing of either is left once the person is deleted', async () => {
    const { world, byMail, byPhone, join, bookAs } = await createTwice();
    const kid = (await world.request('/v1/family', { token: byPhone.token, body: child })).body.data.id;
    await bookAs(byPhone.token, { schedule_time: '10:00:00' });
    await bookAs(byPhone.token, { schedule_time: '11:00:00', patient_id: kid });
    const type = ({ type: kind }: { type: string }) => kind;
    const linesOf = async (token: string) =>
      (await world.request('/v1/auth/export', { method: 'POST', token })).body.data.security_events.map(type);
    const before = [...(await linesOf(byPhone.token)), ...(await linesOf(byMail.token))];
    await join(byPhone.id, byMail.id);
    const copy = await world.request('/v1/auth/export', { method: 'POST', token: byMail.token });
    expect(copy.body.data.bookings).toHaveLength(2);
    expect(copy.body.data.security_events.map(({ type }: { type: string }) => type)).toContain(
      'accounts_joined',
    );
    // With what was recorded of the account that ended.
    expect(before.filter((kind) => kind === 'registered')).toHaveLength(2);
    expect(copy.body.data.security_events.map(type)).toEqual(expect.arrayContaining(before));
    expect(copy.body.data.security_events.length).toBeGreaterThan(before.length);
    const gone = await world.request('/v1/auth/account', { method: 'DELETE', token: byMail.token });
    expect(gone.status).toBe(200);
    expect((await world.db.select().from(users)).map(({ id }) => id)).not.toContain(byMail.id);
    const rows = await world.db.select().from(patients);
    for (const id of [byMail.id, byPhone.id, kid])
      expect(rows.find((row) => row.id === id)?.name ?? '').toBe('');
    expect(await findViolations(world.db)).toEqual([]);
  });
});

describe('what an account takes over', () => {
  const empty = { role: 'patient', deactivatedAt: null, email: null, emailProvedAt: null };
  const none = { ...empty, loginPhone: null, phoneProvedAt: null };
  const mailed = { ...none, email: 'a@klinik.example', emailProvedAt: 1 };
  const called = { ...none, loginPhone: word, phoneProvedAt: 2 };
  it.each<[string, Account, Account, string[]]>([
    ['a proved e-mail in place of none', mailed, called, ['email']],
    ['no e-mail that nobody proved', { ...mailed, emailProvedAt: null }, called, []],
    ['no e-mail in place of one, proved or not', mailed, { ...mailed, emailProvedAt: null }, []],
    ['a phone in place of none', called, mailed, ['login_phone']],
    ['no phone in place of one', called, { ...called, loginPhone: '62811' }, []],
    ['both', { ...mailed, ...{ loginPhone: word, phoneProvedAt: 2 } }, none, ['email', 'login_phone']],
  ])('is %s', (_, source, target, taken) => {
    expect(waysTaken(source, target)).toEqual(taken);
    const after = accountAfter(source, target);
    expect(after.email).toBe(taken.includes('email') ? source.email : target.email);
    expect(after.loginPhone).toBe(taken.includes('login_phone') ? source.loginPhone : target.loginPhone);
  });

  it('asks for a proof only where the clinic can', () => {
    const unproved = { ...mailed, emailProvedAt: null };
    expect(refuseJoin(called, unproved, { asksForProof: true })).toBe('account_unproved');
    expect(refuseJoin(called, unproved, { asksForProof: false })).toBeNull();
    expect(refuseJoin(unproved, called, { asksForProof: true })).toBeNull();
    const { loginPhone } = called;
    expect(refuseJoin(called, { ...unproved, loginPhone }, { asksForProof: true })).toBe('account_unproved');
    expect(refuseJoin(called, { ...mailed, loginPhone }, { asksForProof: true })).toBeNull();
  });
});
