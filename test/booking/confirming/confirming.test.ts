import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { users } from '../../../src/core/tables/accounts.ts';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { clinic } from '../../../src/core/tables/catalog.ts';
import { bookingEvents } from '../../../src/core/tables/webhooks.ts';
import { beforeRoundTrip } from '../../support/interleave.ts';
import { findViolations } from '../../support/invariants.ts';
import { act, askPage, book, createTelling, hour, mailing, openBox, tellAt } from '../../support/notices.ts';
import { createPerson } from '../../support/people.ts';
import { counted } from '../../support/round-trips.ts';

const wednesday = '2026-11-25';
const start = Date.parse('2026-11-25T12:00:00+07:00');
const reminded = start - 24 * hour;

/** A visit of which a reminder has asked whether the patient comes. */
const createAsked = async (
  settings: Record<string, string> = mailing,
  {
    isOn = true,
    fields = {},
    child,
  }: { isOn?: boolean; fields?: Record<string, unknown>; child?: string } = {},
) => {
  const telling = await createTelling(settings);
  const { world, patient, staff } = telling;
  if (isOn) await world.db.update(clinic).set({ askConfirmation: true });
  const of =
    child === undefined
      ? {}
      : {
          patient_id: (
            await world.request('/v1/family', {
              token: patient.token,
              body: { name: child, birth_date: '2019-04-23', relation: 'child' },
            })
          ).body.data.id,
        };
  const id = await book(telling, { schedule_date: wednesday, ...of, ...fields });
  await tellAt(world, reminded);
  const text = world.mails.at(-1)?.text ?? '';
  const [confirm = '', cancel = ''] = [
    ...text.matchAll(/^(?:Saya datang|Batalkan|.+ akan datang): (\S+)$/gm),
  ].map(([, link]) => new URL(link ?? '').pathname);
  const row = async () => (await world.db.select().from(bookings).where(eq(bookings.id, id)))[0];
  const types = async () =>
    (await world.db.select().from(bookingEvents).where(eq(bookingEvents.bookingId, id))).map(
      ({ type, actorRole }) => `${type} ${actorRole}`,
    );
  const press = (link: string) => askPage(world, link, { method: 'POST' });
  const listed = async (query: string, who = staff) =>
    (await world.request(`/v1/bookings?date=${wednesday}${query}`, { token: who.token })).body;
  const confirmBy = (who: { token: string }, body: object = {}) =>
    world.request(`/v1/bookings/${id}/confirm`, { token: who.token, body });
  return { ...telling, id, text, confirm, cancel, row, types, press, listed, confirmBy, patient };
};

describe('a reminder', () => {
  it('asks nothing unless the clinic wants it to', async () => {
    const { text, row, listed, confirmBy, patient } = await createAsked(mailing, { isOn: false });
    expect(text).toContain('Kami mengingatkan janji temu Anda');
    expect(text).not.toContain('/notices/visit/');
    expect(await row()).toMatchObject({ askedAt: null, confirmedAt: null });
    expect((await listed('')).meta.counts.unanswered).toBe(0);
    expect(await confirmBy(patient)).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', message: expect.stringContaining('belum ada pengingat') },
    });
  });

  it('has two links, and opening them changes nothing', async () => {
    const { world, confirm, cancel, row, types } = await createAsked();
    for (const [link, button] of [
      [confirm, 'Saya datang'],
      [cancel, 'Batalkan'],
    ] as const) {
      const page = await askPage(world, link);
      expect(page.status).toBe(200);
      expect(page.headers.get('Referrer-Policy')).toBe('no-referrer');
      expect(page.headers.get('Cache-Control')).toBe('no-store');
      expect(page.body).toContain(`<form method="post"><button>${button}</button></form>`);
      expect(page.body).toContain('dr. Sari Wulandari, Rabu, 25 November 2026');
      expect((await askPage(world, link, { method: 'HEAD' })).status).toBe(200);
    }
    expect(await row()).toMatchObject({ askedAt: reminded, confirmedAt: null, version: 1 });
    expect(await types()).toEqual(['booking.created patient']);
  });

  it('says whose visit it is about and where to call, and leads on once nothing is left to answer', async () => {
    const { world, confirm, cancel, press } = await createAsked();
    await world.db.update(clinic).set({ name: 'Klinik <b>Melati</b>', phone: '(022) 123-4567' });
    const { body } = await askPage(world, confirm);
    expect(body).toContain('<p>Klinik &lt;b&gt;Melati&lt;/b&gt;</p><h1>Anda akan datang?</h1>');
    expect(body).toContain('<p>Telepon klinik: <a href="tel:0221234567">(022) 123-4567</a></p>');
    expect((await press(confirm)).body).toContain('<a href="/pasien/">Buka aplikasi</a>');
    const other = await createAsked();
    expect((await other.press(other.cancel)).body).toContain(
      '<a href="/pasien/dokter">Buat janji temu lain</a>',
    );
    // A stranger's link names no clinic.
    expect((await askPage(world, `${cancel.slice(0, -9)}x/cancel`)).body).not.toContain('Melati');
  });

  it('asks for whom it is where that is one of the family: in the letter, on the page, and after the answer', async () => {
    const { world, id, text, confirm, cancel, press } = await createAsked(mailing, {
      child: 'Bintang Putra',
    });
    expect(text).toContain('Bintang Putra akan datang: ');
    expect(text).not.toContain('Saya datang');
    const [name, visit] = ['Bintang Putra', 'dr. Sari Wulandari, Rabu, 25 November 2026'];
    const asked = (await askPage(world, confirm)).body;
    expect(asked).toContain(`<h1>${name} akan datang?</h1><p>${name}, ${visit}`);
    expect(asked).toContain(`<button>${name} akan datang</button>`);
    const other = (await askPage(world, cancel)).body;
    expect(other).toContain(`<p>${name}, ${visit}`);
    expect(other).toContain(`<a href="confirm">${name} akan datang</a>`);
    expect((await press(confirm)).body).toContain(`<h1>Terima kasih, ${name} akan datang</h1>`);
    await world.db.update(bookings).set({ confirmedAt: null }).where(eq(bookings.id, id));
    expect((await press(cancel)).body).toContain(`<h1>Janji temu sudah dibatalkan</h1><p>${name}, ${visit}`);
  });

  it('comes to a phone with the links as parameters of a template of its own', async () => {
    const { settings, box } = openBox();
    await createAsked({ ...settings, PUBLIC_URL: mailing.PUBLIC_URL });
    const { delivered } = await box();
    expect(delivered.at(-1)).toMatchObject({ template: 'janji_reminder_early_waiting_links' });
    expect(delivered.at(-1)?.parameters.slice(6)).toEqual([
      expect.stringContaining('/confirm'),
      expect.stringContaining('/cancel'),
    ]);
  });
});

describe('the answer to a reminder', () => {
  it('is given without a login, once: a second press and the other link say what became of it', async () => {
    const { world, confirm, cancel, row, types, press } = await createAsked();
    expect((await press(confirm)).body).toContain('<h1>Terima kasih, Anda akan datang</h1>');
    const after = await row();
    expect(after).toMatchObject({ status: 'waiting', confirmedAt: reminded, version: 2 });
    for (const ask of [() => press(confirm), () => press(cancel), () => askPage(world, cancel)])
      expect((await ask()).body).toContain('<h1>Terima kasih, Anda akan datang</h1>');
    expect(await row()).toEqual(after);
    expect(await types()).toEqual(['booking.created patient', 'booking.confirmed patient']);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('cancels by the rule of canceling', async () => {
    const { world, cancel, confirm, row, press } = await createAsked();
    await world.db.update(clinic).set({ cancelLeadMinutes: 60 * 48 });
    const refused = await press(cancel);
    expect(refused).toMatchObject({ status: 409, body: expect.stringContaining('paling lambat') });
    expect(await row()).toMatchObject({ status: 'waiting' });
    await world.db.update(clinic).set({ cancelLeadMinutes: 60 });
    expect((await press(cancel)).body).toContain('<h1>Janji temu sudah dibatalkan</h1>');
    expect(await row()).toMatchObject({ status: 'canceled', canceledBy: 'patient' });
    expect((await press(confirm)).body).toContain('<h1>Janji temu sudah dibatalkan</h1>');
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('is over when the visit begins', async () => {
    const { world, confirm, cancel, press, row } = await createAsked();
    world.clock.now = start;
    for (const link of [confirm, cancel])
      expect(await press(link)).toMatchObject({
        status: 404,
        body: expect.stringContaining('Tautan ini sudah tidak berlaku'),
      });
    expect(await row()).toMatchObject({ status: 'waiting', confirmedAt: null });
  });

  it('to the old time is void once the visit is moved, and the new time is asked anew', async () => {
    const telling = await createAsked();
    const { world, confirm, id, row, press } = telling;
    expect((await press(confirm)).status).toBe(200);
    await act(telling, id, 'reschedule', { schedule_date: wednesday, schedule_time: '15:00:00' });
    expect(await row()).toMatchObject({ askedAt: null, confirmedAt: null });
    expect((await press(confirm)).status).toBe(404);
    await tellAt(world, start + 3 * hour - 2 * hour);
    expect(world.mails.at(-1)?.text).toContain('Saya datang: ');
    expect(await row()).toMatchObject({ askedAt: start + hour, confirmedAt: null });
    expect((await press(confirm)).status).toBe(404);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it.each([
    ['that this service did not make', (link: string) => link.replace(/\.[^/]+/, '.AAAA')],
    ['of another visit', (link: string) => link.replace(/visit\/[^.]+/, 'visit/WyJ4Il0')],
  ])('by a link %s is none', async (_which, change) => {
    const { confirm, press, row } = await createAsked();
    expect((await press(change(confirm))).status).toBe(404);
    expect(await row()).toMatchObject({ confirmedAt: null });
  });

  it('is not for an account that is closed or does not act for the patient any more', async () => {
    const { world, confirm, press, patient, row } = await createAsked();
    await world.db.update(users).set({ deactivatedAt: reminded }).where(eq(users.id, patient.id));
    expect((await press(confirm)).body).not.toContain('Terima kasih');
    expect(await row()).toMatchObject({ confirmedAt: null });
  });

  it('takes three round trips: the visit with the rules of the clinic, the change, and what became of it', async () => {
    const { world, confirm, cancel } = await createAsked();
    const request = counted(world);
    expect(await request(confirm, {})).toMatchObject({ status: 200, trips: 1 });
    expect(await request(cancel, { method: 'POST' })).toMatchObject({ status: 200, trips: 3 });
  });

  it('loses nothing where it meets another change: a cancellation wins, an approval stays', async () => {
    const telling = await createAsked();
    const { world, confirm, id, press, row } = telling;
    beforeRoundTrip(world, 2, () => act(telling, id, 'approve'));
    await press(confirm);
    expect((await press(confirm)).body).toContain('Terima kasih');
    expect(await row()).toMatchObject({ status: 'approved', confirmedAt: reminded });
    const other = await createAsked();
    beforeRoundTrip(other.world, 2, () => act(other, other.id, 'cancel'));
    expect((await other.press(other.confirm)).body).toContain('<h1>Janji temu sudah dibatalkan</h1>');
    expect(await other.row()).toMatchObject({ status: 'canceled', confirmedAt: null });
    expect([...(await findViolations(world.db)), ...(await findViolations(other.world.db))]).toEqual([]);
  });

  it('is given once by two who press at once', async () => {
    const { confirm, press, types } = await createAsked();
    await Promise.all([press(confirm), press(confirm), press(confirm)]);
    expect((await types()).filter((type) => type.startsWith('booking.confirmed'))).toHaveLength(1);
  });

  it('has its token in no log', async () => {
    const { world, confirm, press } = await createAsked();
    const token = confirm.split('/')[3] ?? '';
    const said: string[] = [];
    const note = (...words: unknown[]) => void said.push(JSON.stringify(words));
    Object.assign(world.deps.log, { debug: note, info: note, warn: note, error: note });
    await press(confirm);
    expect(token.length).toBeGreaterThan(40);
    expect(said.join('\n')).not.toContain(token);
  });
});

describe('the desk', () => {
  it('sees who has not answered, as a filter and a count', async () => {
    const { id, listed, confirmBy, staff, patient } = await createAsked();
    expect(await listed('&confirmation=unanswered')).toMatchObject({
      data: [{ id, asked_at: new Date(reminded).toISOString(), confirmed_at: null }],
      meta: { counts: { unanswered: 1 } },
    });
    expect((await listed('&confirmation=confirmed')).data).toEqual([]);
    const { version } = (await listed('')).data[0];
    expect((await confirmBy(staff, { version: version + 1 })).body.code).toBe('version_mismatch');
    expect((await confirmBy(staff)).body.data).toMatchObject({
      confirmed_at: new Date(reminded).toISOString(),
    });
    expect((await confirmBy(patient)).body.data.version).toBe(2);
    expect((await listed('&confirmation=unanswered')).data).toEqual([]);
    expect(await listed('&confirmation=confirmed')).toMatchObject({
      data: [{ id }],
      meta: { counts: { unanswered: 0 } },
    });
  });

  it('is not asked about by others: another patient’s visit is not there', async () => {
    const { world, confirmBy } = await createAsked();
    expect((await confirmBy(await createPerson(world))).status).toBe(404);
  });
});
