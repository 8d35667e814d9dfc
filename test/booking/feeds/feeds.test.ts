import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { describe, expect, it } from 'vitest';
import { securityEvents } from '../../../src/core/tables/accounts.ts';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { replays } from '../../../src/core/tables/idempotency.ts';
import { calendarFeeds } from '../../../src/core/tables/keys.ts';
import { act, book, createClinic, detail } from '../../support/clinic-people.ts';
import { createWorld, password, registerPatient, type World } from '../../support/world.ts';

const path = '/v1/calendar-feeds';

const start = async () => {
  const world = await createWorld();
  return { world, clinic: await createClinic(world) };
};

type Who = { token: string };

const make = async (world: World, who: Who, body: object = {}) =>
  (await world.request(path, { token: who.token, body })).body.data as { id: string; path: string };

const read = (world: World, feed: { path: string }, headers: Record<string, string> = {}) =>
  world.request(feed.path, { headers });

const uidsOf = (file: string) => [...file.matchAll(/^UID:(.*)@janji/gm)].map(([, id]) => id).sort();

describe('a calendar address', () => {
  it('is shown once and stored as a hash', async () => {
    const { world, clinic } = await start();
    const headers = { 'Idempotency-Key': 'kalender-1' };
    const sent = { token: clinic.patient.token, body: { details: true }, headers };
    const made = await world.request(path, sent);
    expect([made.status, made.headers.get('Cache-Control')]).toEqual([201, 'no-store, no-transform']);
    const { path: secret, ...shown } = made.body.data;
    expect(secret).toMatch(/^\/v1\/feeds\/[\w-]{32}\.ics$/);
    const listed = await world.request(path, { token: clinic.patient.token });
    expect(listed.body.data).toEqual([shown]);
    expect((await world.request(path, sent)).body.code).toBe('idempotency_key_spent');
    const stored = [
      ...(await world.db.select().from(calendarFeeds)),
      ...(await world.db.select().from(securityEvents)),
      ...(await world.db.select().from(replays)),
    ];
    expect(JSON.stringify([stored, listed.body])).not.toContain(secret.slice(10, 42));
  });

  it('says of each booking what ical-generator says, with a canceled one as such', async () => {
    const { world, clinic } = await start();
    const profile = { name: 'Klinik Melati', address: 'Jl. Melati 1; Jakarta' };
    const { body } = await world.request('/v1/clinic');
    const saved = await world.request('/v1/admin/clinic', {
      method: 'PATCH',
      token: clinic.admin.token,
      body: { ...profile, version: body.data.version },
    });
    expect(saved.status).toBe(200);
    const ids = [await book(world, clinic), await book(world, clinic, { schedule_date: '2026-11-24' })];
    world.clock.now += 60_000;
    await act(world, clinic.staff, ids[0] ?? '', 'approve');
    await act(world, clinic.patient, ids[1] ?? '', 'cancel');
    const file = await read(world, await make(world, clinic.patient, { details: true }));
    const { name } = (await world.request('/v1/auth/profile', { token: clinic.patient.token })).body.data
      .user;
    const calendar = ical({ method: ICalCalendarMethod.PUBLISH, name: `Klinik Melati – ${name}` });
    for (const id of ids) {
      const booking = await detail(world, clinic.patient, id);
      calendar.createEvent({
        id: `${id}@janji`,
        sequence: 1,
        start: new Date(booking.starts_at),
        end: new Date(booking.ends_at),
        stamp: new Date(booking.updated_at),
        created: new Date(booking.created_at),
        lastModified: new Date(booking.updated_at),
        summary: `${booking.status === 'canceled' ? 'Dibatalkan: ' : ''}${booking.session_name}: ${booking.doctor_name}`,
        location: `${profile.name}, ${profile.address}`,
        description: `Kode ${booking.booking_code}, nomor antrean ${booking.queue_label}`,
        status: booking.status === 'approved' ? ICalEventStatus.CONFIRMED : ICalEventStatus.CANCELLED,
      });
    }
    const linesOf = (text: string) =>
      text
        .trim()
        .replaceAll(/\r\n /g, '')
        .split('\r\n')
        .filter((line) => !/^(PRODID|NAME)/.test(line))
        .sort();
    expect(linesOf(file.body)).toEqual(linesOf(calendar.toString()));
    expect(file.headers.get('Content-Type')).toMatch(/^text\/calendar/);
  });

  it('shows a patient the family, a doctor the own, the desk the clinic, and without details only ids and states', async () => {
    const { world, clinic } = await start();
    const child = { name: 'Budi Santoso', birth_date: '2019-02-03', relation: 'child' };
    const family = await world.request('/v1/family', { token: clinic.patient.token, body: child });
    const own = await book(world, clinic);
    const childs = await book(world, clinic, {
      schedule_time: '10:00:00',
      patient_id: family.body.data.id,
    });
    const others = await book(world, { ...clinic, practice: clinic.others }, {}, clinic.stranger.token);
    const shownTo = async (who: Who) => {
      const { body } = await read(world, await make(world, who));
      expect(body.replaceAll(/^(X-WR-CAL)?NAME:.*$/gm, '')).not.toMatch(
        /Sari|Konsultasi|Orang|Budi|DESCRIPTION/,
      );
      return uidsOf(body);
    };
    expect(await shownTo(clinic.patient)).toEqual([own, childs].sort());
    expect(await shownTo(clinic.stranger)).toEqual([others]);
    expect(await shownTo(clinic.doctor)).toEqual([own, childs].sort());
    expect(await shownTo(clinic.otherDoctor)).toEqual([others]);
    expect(await shownTo(clinic.staff)).toEqual([own, childs, others].sort());
    const asked = { token: clinic.staff.token, body: { details: true } };
    expect((await world.request(path, asked)).status).toBe(403);
  });

  it('shows what is to come before what was, where both are too much', async () => {
    const { world, clinic } = await start();
    const id = await book(world, clinic);
    const feed = await make(world, clinic.staff);
    const given: Record<string, SQL> = {
      id: sql`id || '-' || n.i`,
      booking_code: sql`'X' || n.i`,
      write_id: sql`id || '-' || n.i`,
      schedule_date: sql`'2026-11-10'`,
      starts_at: sql`starts_at - 13 * 86400000`,
      ends_at: sql`ends_at - 13 * 86400000`,
      status: sql`'canceled'`,
      canceled_at: sql`created_at`,
      canceled_by: sql`'staff'`,
      cancel_reason_code: sql`'other'`,
    };
    const columns = Object.values(getTableColumns(bookings)).map(
      ({ name }) => given[name] ?? sql.identifier(name),
    );
    await world.db.insert(bookings).select(sql`with recursive n (i) as
      (select 1 union all select i + 1 from n where i < 5000)
      select ${sql.join(columns, sql`, `)} from n cross join bookings where id = ${id}`);
    const uids = uidsOf((await read(world, feed)).body);
    expect(uids).toHaveLength(5_000);
    expect(uids).toContain(id);
  });

  it('answers 304 until something changes', async () => {
    const { world, clinic } = await start();
    const id = await book(world, clinic);
    const feed = await make(world, clinic.patient);
    const first = await read(world, feed);
    const known = { 'If-None-Match': first.headers.get('ETag') ?? '' };
    expect(first.headers.get('Cache-Control')).toBe('no-store');
    expect((await read(world, feed, known)).status).toBe(304);
    await act(world, clinic.staff, id, 'approve');
    expect((await read(world, feed, known)).status).toBe(200);
  });

  it('ends when it is deleted, only by its owner', async () => {
    const { world, clinic } = await start();
    const feed = await make(world, clinic.patient);
    const end = (who: Who) => world.request(`${path}/${feed.id}`, { method: 'DELETE', token: who.token });
    expect((await end(clinic.stranger)).status).toBe(404);
    expect((await read(world, feed)).status).toBe(200);
    expect((await end(clinic.patient)).status).toBe(200);
    expect((await read(world, feed)).status).toBe(404);
    const events = (await world.db.select().from(securityEvents)).map(({ type }) => type);
    expect(events).toEqual(expect.arrayContaining(['calendar_feed_made', 'calendar_feed_ended']));
  });

  it('ends with the role, and does not come back with it', async () => {
    const { world, clinic } = await start();
    const feed = await make(world, clinic.staff);
    const change = (role: string) =>
      world.request(`/v1/admin/people/${clinic.staff.id}`, {
        method: 'PATCH',
        token: clinic.admin.token,
        body: { role },
      });
    expect((await change('patient')).status).toBe(200);
    expect((await read(world, feed)).status).toBe(404);
    expect((await change('staff')).status).toBe(200);
    expect((await read(world, feed)).status).toBe(404);
  });

  it('ends with the account', async () => {
    const { world, clinic } = await start();
    const feeds = [await make(world, clinic.otherDoctor), await make(world, clinic.stranger)];
    const shut = `/v1/admin/people/${clinic.otherDoctor.id}/deactivate`;
    expect((await world.request(shut, { token: clinic.admin.token, body: {} })).status).toBe(200);
    const gone = await world.request(`/v1/patients/${clinic.stranger.id}`, {
      method: 'DELETE',
      token: clinic.admin.token,
    });
    expect(gone.status).toBe(200);
    for (const feed of feeds) expect((await read(world, feed)).status).toBe(404);
    expect(await world.db.select().from(calendarFeeds)).toEqual([]);
  });

  it('ends with the password, and with all other devices', async () => {
    const { world, clinic } = await start();
    const person = await registerPatient(world);
    const { token } = person;
    const fresh = 'melati-putih-73';
    const change = { current_password: password, password: fresh, password_confirmation: fresh };
    const own = `/v1/admin/people/${person.id}/devices`;
    const ends: readonly (() => Promise<{ status: number }>)[] = [
      () => world.request('/v1/auth/devices', { method: 'DELETE', token }),
      () => world.request('/v1/auth/password', { token, body: change }),
      () => world.request(own, { method: 'DELETE', token: clinic.admin.token }),
    ];
    for (const end of ends) {
      const feed = await make(world, person);
      expect((await read(world, feed)).status).toBe(200);
      expect((await end()).status).toBe(200);
      expect((await read(world, feed)).status).toBe(404);
    }
  });

  it('is seen and ended by an admin, who gets nothing that opens it', async () => {
    const { world, clinic } = await start();
    const [feed, other] = [await make(world, clinic.patient), await make(world, clinic.stranger)];
    const of = (id: string) => `/v1/admin/people/${id}/calendar-feeds`;
    const asAdmin = { token: clinic.admin.token };
    const listed = await world.request(of(clinic.patient.id), asAdmin);
    expect(listed.body.data).toEqual([{ id: feed.id, details: false, created_at: expect.any(String) }]);
    expect((await world.request(of(clinic.patient.id), { token: clinic.staff.token })).status).toBe(403);
    const end = (id: string, feedId: string) =>
      world.request(`${of(id)}/${feedId}`, { method: 'DELETE', ...asAdmin });
    expect((await end(clinic.patient.id, other.id)).status).toBe(404);
    expect((await end(clinic.patient.id, feed.id)).status).toBe(200);
    expect([(await read(world, feed)).status, (await read(world, other)).status]).toEqual([404, 200]);
  });

  it('requires a recent login', async () => {
    const { world, clinic } = await start();
    world.clock.now += 601_000;
    const asked = await world.request(path, { token: clinic.patient.token, body: {} });
    expect([asked.status, asked.body.code]).toEqual([403, 'reauthentication_required']);
  });

  it('leaves a line of what the clinic reads by it, once an hour', async () => {
    const { world, clinic } = await start();
    const [ofStaff, ofPatient] = [await make(world, clinic.staff), await make(world, clinic.patient)];
    for (const feed of [ofStaff, ofStaff, ofPatient]) await read(world, feed);
    const lines = (await world.db.select().from(securityEvents)).filter(({ type }) => type === 'list_read');
    expect(lines).toMatchObject([{ actorId: clinic.staff.id, route: 'GET /v1/feeds/{token}.ics' }]);
  });

  it('is one of ten at most', async () => {
    const { world, clinic } = await start();
    const ask = () => world.request(path, { token: clinic.patient.token, body: {} });
    const answers = await Promise.all(Array.from({ length: 12 }, ask));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(answers.filter(({ body }) => body.code === 'feeds_full')).toHaveLength(2);
  });

  it('that nobody has is not found', async () => {
    const { world } = await start();
    for (const name of [`${'a'.repeat(32)}.ics`, 'a.ics', 'a'.repeat(32), `${'a'.repeat(32)}.txt`])
      expect((await world.request(`/v1/feeds/${name}`)).status).toBe(404);
  });
});

describe('a link to the file of one booking', () => {
  it('needs no token, and holds for ten minutes', async () => {
    const { world, clinic } = await start();
    const id = await book(world, clinic);
    const { token } = clinic.patient;
    const headers = { 'Accept-Language': 'en' };
    const asked = { token, headers };
    const { body } = await world.request(`/v1/bookings/${id}/calendar-link`, asked);
    expect(body.data.expires_at).toBe(new Date(world.clock.now + 600_000).toISOString());
    const file = await world.request(`/v1/bookings/${id}/calendar.ics`, asked);
    world.clock.now += 599_999;
    const opened = await read(world, body.data);
    expect([opened.status, opened.body]).toEqual([200, file.body]);
    expect(opened.headers.get('Content-Disposition')).toMatch(/^attachment; filename="janji-.{8}\.ics"$/);
    world.clock.now += 1;
    expect((await read(world, body.data)).status).toBe(404);
  });

  it('names whose visit it is where it is one of the family, in each calendar of the account, and for nobody else', async () => {
    const { world, clinic } = await start();
    const { token } = clinic.patient;
    const added = { name: 'Kirana, Rahayu', birth_date: '2019-04-23', relation: 'child' };
    const child = (await world.request('/v1/family', { token, body: added })).body.data.id;
    const own = await book(world, clinic);
    const id = await book(world, clinic, { patient_id: child, schedule_date: '2026-11-24' });
    const { session_name, doctor_name } = await detail(world, clinic.patient, id);
    const visit = `${session_name}: ${doctor_name}`;
    const titlesOf = (file: { body: string }) =>
      [...file.body.replaceAll('\r\n ', '').matchAll(/^SUMMARY:(.*)\r$/gm)].map(([, title]) => title);
    const fileOf = (booking: string, who: Who) =>
      world.request(`/v1/bookings/${booking}/calendar.ics`, { token: who.token });
    const linkOf = async (booking: string, who: Who) =>
      (await world.request(`/v1/bookings/${booking}/calendar-link`, { token: who.token })).body.data;
    const named = `Kirana\\, Rahayu · ${visit}`;
    const feed = await make(world, clinic.patient, { details: true });
    expect(titlesOf(await read(world, feed))).toEqual([visit, named]);
    expect(titlesOf(await fileOf(id, clinic.patient))).toEqual([named]);
    expect(titlesOf(await fileOf(own, clinic.patient))).toEqual([visit]);
    expect(titlesOf(await fileOf(id, clinic.doctor))).toEqual([visit]);
    const link = await linkOf(id, clinic.patient);
    expect(titlesOf(await read(world, link))).toEqual([named]);
    expect(titlesOf(await read(world, await linkOf(id, clinic.doctor)))).toEqual([visit]);
    const plain = await read(world, await make(world, clinic.patient));
    expect(plain.body).not.toContain('Kirana');
    expect((await act(world, clinic.patient, id, 'cancel')).status).toBe(200);
    expect((await world.request(`/v1/family/${child}`, { method: 'DELETE', token })).status).toBe(200);
    expect((await read(world, link)).body).not.toContain('Kirana');
  });

  it('is for who may see the booking, and opens no other', async () => {
    const { world, clinic } = await start();
    const id = await book(world, clinic);
    const ask = (who: Who) => world.request(`/v1/bookings/${id}/calendar-link`, { token: who.token });
    expect((await ask(clinic.stranger)).status).toBe(404);
    const { body } = await ask(clinic.doctor);
    const forged = body.data.path.replace(
      /\.(.)/,
      (_: string, first: string) => `.${first === 'A' ? 'B' : 'A'}`,
    );
    expect(forged).not.toBe(body.data.path);
    expect((await read(world, { path: forged })).status).toBe(404);
    const lines = (await world.db.select().from(securityEvents)).filter(({ type }) => type === 'record_read');
    expect(lines).toMatchObject([{ actorId: clinic.doctor.id, patientId: clinic.patient.id }]);
  });
});
