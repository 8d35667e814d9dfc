import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { securityEvents, users } from '../../src/core/tables/accounts.ts';
import { bookings } from '../../src/core/tables/bookings.ts';
import { mailOutbox } from '../../src/core/tables/mail.ts';
import { recordMatches } from '../../src/core/tables/matches.ts';
import { patients } from '../../src/core/tables/patients.ts';
import { runJobs } from '../../src/jobs/jobs.ts';
import { book, createClinic } from '../support/clinic-people.ts';
import { beforeRoundTrip } from '../support/interleave.ts';
import { findViolations } from '../support/invariants.ts';
import { addMatch, addRecord, birth_date, giveBirthDate, provedPerson } from '../support/matches.ts';
import { createPerson } from '../support/people.ts';
import { createWorld, registerPatient, type World } from '../support/world.ts';

const path = '/v1/record-matches';

const setUp = async (settings: Record<string, string> = {}) => {
  const world = await createWorld(settings);
  const clinic = await createClinic(world, { capacity: 5 });
  const { staff } = clinic;
  const list = async (token = staff.token) => (await world.request(path, { token })).body.data;
  const count = async () => (await world.request(`${path}/count`, { token: staff.token })).body.data.open;
  const decide = (id: string, verb: string, headers: Record<string, string> = {}, token = staff.token) =>
    world.request(`${path}/${id}/${verb}`, { method: 'POST', token, headers });
  const record = (fields: object) => addRecord(world, staff.token, fields);
  const match = () => addMatch(world, staff.token);
  return { world, clinic, staff, list, count, decide, record, match };
};

const settled = async (world: World) => {
  await Promise.all(world.background.splice(0));
};

const closed = { status: 409, body: { code: 'match_closed' } };

describe('a record of the clinic that may be an account’s', () => {
  it('waits for the desk with both sides, once the account has proved the e-mail and given the date of birth', async () => {
    const { world, clinic, staff, list, count, record } = await setUp();
    const person = await provedPerson(world);
    const id = await record({ email: person.email, phone_number: '81300000009' });
    await book(world, clinic, { patient_id: id }, staff.token);
    expect([await count(), await list()]).toEqual([0, []]);
    expect((await giveBirthDate(world, person)).status).toBe(200);
    expect(await count()).toBe(1);
    expect(await list()).toMatchObject([
      {
        account: { id: person.id, email: person.email, birth_date, visits: 0, last_visit: null },
        record: { id, name: 'Ibu Ratna (lama)', email: person.email, birth_date, visits: 1 },
      },
    ]);
    const events = await world.db.select().from(securityEvents);
    expect(events.filter(({ route }) => route === `GET ${path}`)).not.toEqual([]);
    expect(events.filter(({ route }) => route === `GET ${path}/count`)).toEqual([]);
  });

  it('is noted when the e-mail is proved by a code, after the date of birth was given', async () => {
    const { world, count, record } = await setUp();
    const patient = await registerPatient(world);
    await settled(world);
    await record({ email: patient.email });
    await giveBirthDate(world, patient);
    expect(await count()).toBe(0);
    await world.request('/v1/auth/email/code', { method: 'POST', token: patient.token });
    await settled(world);
    const code = /\n(\d{4} \d{4})\n/.exec(world.mails.at(-1)?.text ?? '')?.[1];
    const { token } = patient;
    expect((await world.request('/v1/auth/email/verify', { token, body: { code } })).status).toBe(200);
    expect(await count()).toBe(1);
  });

  it('is noted when a reset of the password proves the e-mail', async () => {
    const { world, count, record } = await setUp();
    const patient = await registerPatient(world);
    await record({ email: patient.email });
    await giveBirthDate(world, patient);
    await world.request('/v1/auth/password/forgot', { body: { email: patient.email } });
    await settled(world);
    const token = /\n\n(\S{40,})\n/.exec(world.mails.at(-1)?.text ?? '')?.[1];
    const password = 'kucing hitam di atas genteng';
    const body = { token, password, password_confirmation: password };
    expect((await world.request('/v1/auth/password/reset', { body })).status).toBe(200);
    expect(await count()).toBe(1);
  });

  it('is noted for a new account, and for one that is taken over, by a code without a password', async () => {
    const settings = { LOGIN_BY_CODE: 'on', MAIL_API_URL: 'https://mail.example/send' };
    const { world, count, record } = await setUp(settings);
    const verify = async (email: string) => {
      await world.request('/v1/auth/code', { body: { email } });
      await settled(world);
      const code = /\n(\d{3} \d{3})\n/.exec(
        world.mails.findLast(({ text }) => /\n\d{3} \d{3}\n/.test(text))?.text ?? '',
      )?.[1];
      const body = { email, code, name: 'Ratna', birth_date };
      return (await world.request('/v1/auth/code/verify', { body })).status;
    };
    await record({ email: 'ratna@klinik.example' });
    expect(await verify('ratna@klinik.example')).toBe(200);
    expect(await count()).toBe(1);
    const unproved = await registerPatient(world);
    await record({ email: unproved.email });
    await giveBirthDate(world, unproved);
    expect(await count()).toBe(1);
    await verify(unproved.email);
    expect(await count()).toBe(2);
  });

  it('is noted for a phone that the account has proved, however the desk wrote the number', async () => {
    const settings = { LOGIN_BY_PHONE_CODE: 'on', NOTICE_API_URL: 'https://gateway.example/messages' };
    const { world, list, count, decide, record } = await setUp(settings);
    const sent: string[] = [];
    world.deps.sendMessage = async ({ body }) => {
      sent.push(JSON.parse(body).template.components[0].parameters[0].text);
      return { status: 200 };
    };
    const enter = async (phone: string, date = birth_date) => {
      await world.request('/v1/auth/code', { body: { phone } });
      await settled(world);
      const body = { phone, code: sent.at(-1), name: 'Ratna', birth_date: date };
      return (await world.request('/v1/auth/code/verify', { body })).body.data.user.id as string;
    };
    const id = await record({ phone_number: '0812-9000-0001', phone_country_code: '62' });
    await record({ phone_number: '0812-9000-0002', phone_country_code: '62', birth_date: '1984-03-10' });
    const accountId = await enter('+62 812 9000 0001');
    await enter('081290000002');
    expect(await count()).toBe(1);
    const [match] = await list();
    expect(match).toMatchObject({ account: { id: accountId, email: null }, record: { id } });
    expect(await decide(match.id, 'confirm')).toMatchObject({
      status: 200,
      body: { data: { merged_id: id } },
    });
    await settled(world);
    expect(world.mails).toEqual([]);
    // A number that an account merely names is no proof.
    await record({ phone_number: '81234567890', phone_country_code: '62' });
    await giveBirthDate(world, await registerPatient(world));
    expect(await count()).toBe(0);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('is noted when the desk enters the date of birth of an account, and when an account proves another e-mail', async () => {
    const { world, staff, count, record } = await setUp({ MAIL_API_URL: 'https://mail.example/send' });
    const person = await provedPerson(world);
    await record({ email: person.email });
    const change = { method: 'PATCH', token: staff.token, body: { birth_date } };
    expect((await world.request(`/v1/patients/${person.id}`, change)).status).toBe(200);
    expect(await count()).toBe(1);
    const patient = await registerPatient(world);
    await giveBirthDate(world, patient);
    await record({ email: 'lama@klinik.example' });
    const { token } = patient;
    await world.request('/v1/auth/email/change', { token, body: { email: 'lama@klinik.example' } });
    await settled(world);
    const mail = world.mails.findLast(({ to }) => to === 'lama@klinik.example');
    const code = /\n(\d{4} \d{4})\n/.exec(mail?.text ?? '')?.[1];
    await world.request('/v1/auth/email/change/verify', { token, body: { code } });
    expect(await count()).toBe(2);
  });

  it('is not offered for an unproved e-mail, another date, another e-mail, or a record that somebody acts for', async () => {
    const { world, count, record, staff, clinic } = await setUp();
    const unproved = await createPerson(world);
    await record({ email: unproved.email });
    await giveBirthDate(world, unproved);
    const person = await provedPerson(world);
    await record({ email: person.email, birth_date: '1984-03-10' });
    await record({ email: 'lain@klinik.example' });
    await record({ phone_number: '81234567890', phone_country_code: '62' });
    const child = await record({ email: person.email });
    const made = await world.request(`/v1/patients/${child}/claim-code`, {
      method: 'POST',
      token: staff.token,
    });
    const claim = { code: made.body.data.code, birth_date, relation: 'parent' };
    expect(
      (await world.request('/v1/family/claim', { token: clinic.patient.token, body: claim })).status,
    ).toBe(200);
    await giveBirthDate(world, person);
    expect(await count()).toBe(0);
    expect(await world.db.select().from(recordMatches)).toEqual([]);
  });

  it('tells the patient nothing: the same answers with a record as without one', async () => {
    const { world, record } = await setUp();
    const [one, other] = [await provedPerson(world), await provedPerson(world)];
    await record({ email: one.email });
    const answers = [await giveBirthDate(world, one), await giveBirthDate(world, other)];
    const plain = answers.map(({ status, body }, nth) => {
      const { email, id } = nth === 0 ? one : other;
      const text = JSON.stringify({ ...body, request_id: '' })
        .replaceAll(email, '')
        .replaceAll(id, '');
      return [status, text.replaceAll(/Orang \d+/g, '')];
    });
    expect(plain[0]).toEqual(plain[1]);
    const exported = await world.request('/v1/auth/export', { token: one.token });
    expect(JSON.stringify(exported.body)).not.toContain('Ratna');
  });

  it('is shown to staff and admins alone', async () => {
    const { world, clinic, match, decide } = await setUp();
    const { id } = await match();
    for (const { token } of [clinic.patient, clinic.doctor]) {
      expect((await world.request(path, { token })).status).toBe(403);
      expect((await world.request(`${path}/count`, { token })).status).toBe(403);
      for (const verb of ['confirm', 'decline']) expect((await decide(id, verb, {}, token)).status).toBe(403);
    }
    expect((await world.request(path, { token: clinic.admin.token })).body.data).toHaveLength(1);
  });

  it('is listed page by page, those that wait longest first', async () => {
    const { world, staff, match } = await setUp();
    const made: string[] = [];
    for (let n = 0; n < 3; n++) {
      made.push((await match()).id);
      world.clock.now += 1000;
    }
    const first = (await world.request(`${path}?limit=2`, { token: staff.token })).body;
    const next = `${path}?limit=2&cursor=${first.meta.next_cursor}`;
    const second = (await world.request(next, { token: staff.token })).body;
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(made);
    expect(second.meta.next_cursor).toBeNull();
  });
});

describe('a record that the desk confirms', () => {
  it('becomes part of the patient’s own, with its visits, and the patient is told by mail', async () => {
    const { world, clinic, staff, count, decide, record } = await setUp();
    const person = await provedPerson(world);
    const id = await record({ email: person.email, address: 'Jalan Melati 4' });
    const booked = await book(world, clinic, { patient_id: id }, staff.token);
    await giveBirthDate(world, person);
    const [match] = await world.db.select().from(recordMatches);
    expect(await decide(match?.id ?? '', 'confirm')).toMatchObject({
      status: 200,
      body: { data: { id: person.id, merged_id: id } },
    });
    await settled(world);
    const history = await world.request('/v1/bookings/history', { token: person.token });
    expect(history.body.data.map((one: { id: string }) => one.id)).toEqual([booked]);
    const own = await world.request(`/v1/patients/${id}`, { token: staff.token });
    expect(own.body.data).toMatchObject({ id: person.id, address: 'Jalan Melati 4', has_account: true });
    expect(world.mails).toMatchObject([
      { to: person.email, subject: 'Catatan lama Anda telah ditambahkan ke akun Anda' },
    ]);
    expect(world.mails[0]?.text).not.toContain('Ratna (lama)');
    expect(await count()).toBe(0);
    const events = await world.db.select().from(securityEvents);
    expect(events.filter(({ type }) => type === 'match_confirmed')).toMatchObject([
      { userId: person.id, actorId: staff.id, patientId: id },
    ]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('is written about in English to a patient who wants English', async () => {
    const { world, match, decide } = await setUp();
    const { id, person } = await match();
    const body = { language: 'en' };
    await world.request('/v1/auth/notices', { method: 'PATCH', token: person.token, body });
    await decide(id, 'confirm');
    await settled(world);
    expect(world.mails.at(-1)?.subject).toBe('Your earlier record was added to your account');
  });

  it('is confirmed once, however often it is asked, and no longer declined', async () => {
    const { world, match, decide } = await setUp();
    const { id } = await match();
    const headers = { 'Idempotency-Key': 'cocok' };
    const answers = await Promise.all([
      ...Array.from({ length: 3 }, () => decide(id, 'confirm', headers)),
      ...Array.from({ length: 3 }, () => decide(id, 'confirm')),
    ]);
    for (const { status } of answers) expect(status).toBe(200);
    expect(await decide(id, 'confirm')).toMatchObject({ status: 200 });
    expect(await decide(id, 'decline')).toMatchObject(closed);
    const events = await world.db.select().from(securityEvents);
    expect(events.filter(({ type }) => type === 'match_confirmed')).toHaveLength(1);
    expect(await world.db.select().from(mailOutbox)).toHaveLength(1);
  });

  it('belongs to one account where two match it', async () => {
    const { world, list, decide, record } = await setUp();
    const [one, other] = [await provedPerson(world), await provedPerson(world)];
    const id = await record({ email: one.email });
    await giveBirthDate(world, one);
    // The first one changed the e-mail since, and the second one has it now.
    const email = one.email;
    await world.db.update(users).set({ email: 'pindah@klinik.example' }).where(eq(users.id, one.id));
    await world.db.update(users).set({ email }).where(eq(users.id, other.id));
    await giveBirthDate(world, other);
    const rows = await world.db.select().from(recordMatches);
    const [ofOne, ofOther] = [one, other].map(
      (who) => rows.find((row) => row.accountId === who.id)?.id ?? '',
    );
    expect((await list()).map((row: { id: string }) => row.id)).toEqual([ofOther]);
    expect(await decide(ofOne ?? '', 'confirm')).toMatchObject(closed);
    const answers = await Promise.all([decide(ofOne ?? '', 'confirm'), decide(ofOther ?? '', 'confirm')]);
    expect(answers.map(({ status }) => status)[1]).toBe(200);
    expect([404, 409]).toContain(answers[0]?.status);
    const [merged] = await world.db.select().from(patients).where(eq(patients.id, id));
    expect(merged?.mergedInto).toBe(other.id);
    expect(await world.db.select().from(recordMatches)).toHaveLength(1);
  });

  it('is refused where the record was claimed by a code, declined, erased or changed meanwhile', async () => {
    const { world, clinic, staff, match, decide } = await setUp();
    const claimed = async (recordId: string, relation: string) => {
      const code = await world.request(`/v1/patients/${recordId}/claim-code`, {
        method: 'POST',
        token: staff.token,
      });
      const body = { code: code.body.data.code, birth_date, relation };
      await world.request('/v1/family/claim', { token: clinic.stranger.token, body });
    };
    const patch = (id: string, body: object) =>
      world.request(`/v1/patients/${id}`, { method: 'PATCH', token: staff.token, body });
    const erase = (id: string) =>
      world.request(`/v1/patients/${id}`, { method: 'DELETE', token: clinic.admin.token });
    type Made = Awaited<ReturnType<typeof match>>;
    // What it answers where this happens before the request, and between its reading and its writing.
    const cases: [(made: Made) => Promise<unknown>, number, number][] = [
      [({ recordId }) => claimed(recordId, 'child'), 409, 409],
      [({ recordId }) => claimed(recordId, 'self'), 404, 409],
      [({ id }) => decide(id, 'decline'), 409, 409],
      [({ recordId }) => patch(recordId, { birth_date: '1985-01-02' }), 409, 409],
      [({ recordId }) => patch(recordId, { email: null }), 409, 409],
      [({ recordId }) => erase(recordId), 404, 404],
      [({ person }) => erase(person.id), 404, 404],
    ];
    for (const [meanwhile, before, between] of cases) {
      const statuses: number[] = [];
      for (const nth of [1, 3]) {
        const made = await match();
        beforeRoundTrip(world, nth, () => meanwhile(made));
        statuses.push((await decide(made.id, 'confirm')).status);
        world.deps.db = world.db;
        const [record] = await world.db.select().from(patients).where(eq(patients.id, made.recordId));
        expect(record?.mergedInto === made.person.id).toBe(false);
      }
      expect([statuses, String(meanwhile)]).toEqual([[before, between], String(meanwhile)]);
    }
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('waits while both have bookings at the same time, and changes nothing', async () => {
    const { world, clinic, staff, match, decide, count } = await setUp();
    const { id, person, recordId } = await match();
    await book(world, clinic, { patient_id: recordId }, staff.token);
    await book(world, clinic, { patient_id: person.id }, staff.token);
    expect(await decide(id, 'confirm')).toMatchObject({ status: 409, body: { code: 'merge_conflict' } });
    expect(await count()).toBe(1);
    expect((await world.db.select().from(bookings)).map((one) => one.patientId).toSorted()).toEqual(
      [recordId, person.id].toSorted(),
    );
  });
});

describe('a record that the desk declines', () => {
  it('is never offered again for this account, also as part of another record, and nobody is told', async () => {
    const { world, staff, match, decide, count, record } = await setUp();
    const { id, person, recordId } = await match();
    const headers = { 'Idempotency-Key': 'bukan' };
    const answers = await Promise.all([
      ...Array.from({ length: 3 }, () => decide(id, 'decline', headers)),
      decide(id, 'decline'),
    ]);
    for (const { status } of answers) expect(status).toBe(200);
    expect(await decide(id, 'confirm')).toMatchObject(closed);
    await giveBirthDate(world, person, '1984-03-10');
    await giveBirthDate(world, person);
    expect(await count()).toBe(0);
    const into = await record({ email: person.email });
    const merge = `/v1/patients/${recordId}/merge`;
    expect((await world.request(merge, { token: staff.token, body: { into } })).status).toBe(200);
    await giveBirthDate(world, person, '1984-03-10');
    await giveBirthDate(world, person);
    expect(await count()).toBe(0);
    expect(world.mails).toEqual([]);
    const events = await world.db.select().from(securityEvents);
    expect(events.filter(({ type }) => type === 'match_declined')).toMatchObject([
      { userId: person.id, actorId: staff.id, patientId: recordId },
    ]);
  });
});

describe('what nobody decides', () => {
  it('goes after a year, and is offered again when the patient gives the date again', async () => {
    const { world, match, decide } = await setUp();
    const [open, declined] = [await match(), await match()];
    await decide(declined.id, 'decline');
    world.clock.now += 366 * 86_400_000;
    await runJobs(world.deps);
    const rows = await world.db.select().from(recordMatches);
    expect(rows.map(({ id }) => id)).toEqual([declined.id]);
    expect(open.id).not.toBe(declined.id);
  });

  it('costs a clinic without such records one read of an empty index', async () => {
    const { world, staff } = await setUp();
    const seen = beforeRoundTrip(world, 99, async () => {});
    await world.request(`${path}/count`, { token: staff.token });
    expect(seen.roundTrips).toBe(1);
  });
});
