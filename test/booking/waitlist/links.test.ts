import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { users } from '../../../src/core/tables/accounts.ts';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { bookingEvents } from '../../../src/core/tables/webhooks.ts';
import { askPage, mailing, proveEmail, tell } from '../../support/notices.ts';
import { createPerson } from '../../support/people.ts';
import { createTaken, date, morning } from '../../support/waitlist.ts';

type Links = Record<'Terima' | 'Tolak', string>;

/** Somebody is offered the seat that another gives back, and has the mail of it. */
const createOffered = async () => {
  const waiting = await createTaken(mailing);
  const { world, holder, bookingId, cancel, wait, runJob } = waiting;
  const person = await createPerson(world);
  await proveEmail(world, person.id);
  await tell(world);
  await wait(person);
  await cancel(holder, bookingId);
  await runJob();
  await tell(world);
  const text = world.mails.at(-1)?.text ?? '';
  const links = Object.fromEntries(
    [...text.matchAll(/^(Terima|Tolak): (\S+)$/gm)].map(([, how, link]) => [
      how,
      new URL(link ?? '').pathname,
    ]),
  ) as Links;
  const stateOfSeat = async () => {
    const rows = await world.db.select().from(bookings).where(eq(bookings.patientId, person.id));
    return rows.map(({ status, heldUntil, canceledBy }) => [status, heldUntil === null, canceledBy]);
  };
  const open = (link: string) => askPage(world, link);
  const press = (link: string) => askPage(world, link, { method: 'POST' });
  return { ...waiting, person, links, text, stateOfSeat, open, press };
};

describe('the links of an offer', () => {
  it('are in the mail, one to accept and one to decline, and opening them changes nothing', async () => {
    const { links, open, stateOfSeat, text } = await createOffered();
    expect(Object.keys(links)).toEqual(['Terima', 'Tolak']);
    expect(text).toContain('Silakan terima atau tolak dengan tautan di bawah:');
    for (const [how, link] of Object.entries(links)) {
      const page = await open(link);
      expect(page.status).toBe(200);
      expect(page.headers.get('Content-Language')).toBe('id');
      expect(page.headers.get('Cache-Control')).toBe('no-store');
      expect(page.body).toContain(`<form method="post"><button>${how}</button></form>`);
      expect(page.body).toContain('dr. Sari Wulandari, Rabu, 25 November 2026');
    }
    expect(await stateOfSeat()).toEqual([['waiting', false, null]]);
  });

  it('accept it without a login, once: a second press and the other link say what became of it', async () => {
    const { world, person, links, press, open, stateOfSeat } = await createOffered();
    expect((await press(links.Terima)).body).toContain('<h1>Tempat diterima</h1>');
    expect(await stateOfSeat()).toEqual([['waiting', true, null]]);
    for (const ask of [() => press(links.Terima), () => press(links.Tolak), () => open(links.Tolak)])
      expect((await ask()).body).toContain('<h1>Tempat diterima</h1>');
    expect(await stateOfSeat()).toEqual([['waiting', true, null]]);
    const { body } = await world.request('/v1/bookings/history', { token: person.token });
    expect(body.data).toHaveLength(1);
    const made = await world.db
      .select()
      .from(bookingEvents)
      .where(eq(bookingEvents.type, 'booking.accepted'));
    expect(made.map(({ actorId, actorRole }) => [actorId, actorRole])).toEqual([[person.id, 'patient']]);
  });

  it('decline it, and the seat goes to the next', async () => {
    const { world, links, press, stateOfSeat, wait, offersOf, runJob } = await createOffered();
    const next = await createPerson(world);
    await wait(next);
    const page = await press(links.Tolak);
    expect([page.status, page.body]).toEqual([200, expect.stringContaining('<h1>Tempat ditolak</h1>')]);
    expect(await stateOfSeat()).toEqual([['canceled', false, 'patient']]);
    expect((await press(links.Terima)).body).toContain('<h1>Tempat ditolak</h1>');
    await runJob();
    expect(await offersOf(next)).toHaveLength(1);
  });

  it('are over with the time of the offer, by 404', async () => {
    const { links, press, open, pass, stateOfSeat } = await createOffered();
    pass(31);
    for (const ask of [open, press])
      for (const link of Object.values(links))
        expect(await ask(link)).toMatchObject({
          status: 404,
          body: expect.stringContaining('Tawaran ini sudah tidak berlaku'),
        });
    expect(await stateOfSeat()).toEqual([['waiting', false, null]]);
  });

  it('are of no use where they were changed, or once the account is shut', async () => {
    const { world, person, links, press, stateOfSeat } = await createOffered();
    const [, , , token = ''] = links.Terima.split('/');
    const forged = [
      `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
      `x${token}`,
      token.split('.')[0],
      'x',
    ];
    for (const one of forged) expect((await press(`/notices/offer/${one}/accept`)).status).toBe(404);
    await world.db.update(users).set({ deactivatedAt: world.clock.now }).where(eq(users.id, person.id));
    expect((await press(links.Terima)).status).toBeGreaterThanOrEqual(400);
    expect(await stateOfSeat()).toEqual([['waiting', false, null]]);
  });

  it('say why the seat cannot be accepted', async () => {
    const { world, person, links, press, book } = await createOffered();
    await world.db.update(users).set({ emailProvedAt: null }).where(eq(users.id, person.id));
    for (const schedule_time of ['10:00:00', '10:30:00'])
      expect((await book(person, { schedule_time })).status).toBe(201);
    const page = await press(links.Terima);
    expect([page.status, page.body]).toEqual([409, expect.stringContaining('Tempat belum dapat diterima')]);
  });

  it('serve a patient without an account', async () => {
    const waiting = await createTaken(mailing);
    const { world, staff, practice, holder, bookingId, cancel, runJob } = waiting;
    await tell(world);
    const record = {
      name: 'Pak Darmo',
      phone_number: '81355500001',
      phone_country_code: '62',
      email: 'darmo@klinik.example',
    };
    const { body } = await world.request('/v1/patients', { token: staff.token, body: record });
    const joined = await world.request('/v1/waitlist', {
      token: staff.token,
      body: { session_id: practice.sessionId, from: date, to: date, patient_id: body.data.id },
    });
    expect(joined.status).toBe(201);
    await cancel(holder, bookingId);
    await runJob();
    await tell(world);
    const mail = world.mails.at(-1);
    expect(mail?.to).toBe('darmo@klinik.example');
    const link = new URL(/^Terima: (\S+)$/m.exec(mail?.text ?? '')?.[1] ?? '').pathname;
    expect((await askPage(world, link, { method: 'POST' })).body).toContain('<h1>Tempat diterima</h1>');
    const rows = await world.db.select().from(bookings).where(eq(bookings.patientId, body.data.id));
    expect(rows.map(({ heldUntil, queueNumber }) => [heldUntil, queueNumber])).toEqual([[null, 2]]);
    expect(world.clock.now).toBeGreaterThanOrEqual(morning);
  });
});
