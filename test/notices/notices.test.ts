import { describe, expect, it } from 'vitest';
import {
  act,
  book,
  createTelling,
  hour,
  logOf,
  mailing,
  minute,
  openBox,
  tell,
  tellAt,
} from '../support/notices.ts';
import { createPerson } from '../support/people.ts';
import { mondayMorning } from '../support/world.ts';

describe('a notice', () => {
  it.each([
    ['approve', 'approved', {}],
    ['reject', 'rejected', { reason: 'Dokter tidak praktik' }],
    ['cancel', 'canceled', { reason: 'Dokter tidak praktik' }],
    ['reschedule', 'moved', { schedule_date: '2026-11-23', schedule_time: '13:00:00' }],
  ])('tells of what the clinic does by %s, once, and never why', async (verb, kind, body) => {
    const telling = await createTelling();
    const { world, patient } = telling;
    const id = await book(telling, { notes: 'batuk berdarah' });
    await tell(world);
    expect(world.mails).toEqual([]);
    await act(telling, id, verb, body);
    await tell(world);
    await tellAt(world, world.clock.now + minute);
    expect(await logOf(world)).toEqual([`${kind} email sent`]);
    expect(world.mails.map(({ to }) => to)).toEqual([patient.email]);
    expect(JSON.stringify(world.mails)).not.toMatch(/batuk|praktik|Konsultasi|Umum/);
  });

  it('does not tell patients of what they do themselves, nor of a booking that ran out', async () => {
    const telling = await createTelling();
    const { world, patient } = telling;
    const canceled = await book(telling);
    const moved = await book(telling, { schedule_time: '14:00:00' });
    const at = (id: string, verb: string, body: object = {}) =>
      world.request(`/v1/bookings/${id}/${verb}`, { token: patient.token, body });
    expect((await at(canceled, 'cancel')).status).toBe(200);
    const slot = { schedule_date: '2026-11-23', schedule_time: '15:00:00' };
    expect((await at(moved, 'reschedule', slot)).status).toBe(200);
    await tellAt(world, mondayMorning + 24 * hour);
    expect(await logOf(world)).toEqual([]);
  });

  it('is sent for a booking that the clinic makes for a patient', async () => {
    const telling = await createTelling();
    const { world, practice, staff, patient } = telling;
    const body = {
      doctor_id: practice.doctorId,
      session_id: practice.sessionId,
      schedule_date: '2026-11-23',
      schedule_time: '11:00:00',
      patient_id: patient.id,
    };
    expect((await world.request('/v1/bookings', { token: staff.token, body })).status).toBe(201);
    await tell(world);
    expect(await logOf(world)).toEqual(['approved email sent']);
  });

  it('goes by every channel that the clinic has, as the gateway takes it', async () => {
    const { settings, box } = openBox();
    const telling = await createTelling({ ...mailing, ...settings });
    const { world } = telling;
    await world.request('/v1/auth/notices', {
      method: 'PATCH',
      token: telling.patient.token,
      body: { language: 'en' },
    });
    await act(telling, await book(telling), 'approve');
    await tell(world);
    expect(await logOf(world)).toEqual(['approved email sent', 'approved message sent']);
    const { delivered, attempts } = await box();
    expect(attempts.map(({ status }) => status)).toEqual([200]);
    expect(delivered).toMatchObject([
      {
        to: '+6281234567890',
        template: 'janji_approved',
        language: 'en',
        parameters: [
          expect.stringMatching(/^Orang/),
          'dr. Sari Wulandari',
          'Monday, 23 November 2026',
          '12:00 WIB',
          expect.stringMatching(/^[A-Z0-9-]+$/),
          expect.any(String),
        ],
      },
    ]);
  });

  it('does not mail to an address that nobody has proved', async () => {
    const telling = await createTelling();
    const { world } = telling;
    const stranger = await createPerson(world);
    await act(telling, await book({ ...telling, patient: stranger }), 'approve');
    await tell(world);
    expect(await logOf(world)).toEqual([]);
  });

  it('of a child goes to the account that booked, by the name of the child', async () => {
    const telling = await createTelling();
    const { world, patient } = telling;
    const child = { name: 'Bintang Kecil', birth_date: '2020-02-03', relation: 'child' };
    const { body } = await world.request('/v1/family', { token: patient.token, body: child });
    const id = await book(telling, { patient_id: body.data.id });
    await act(telling, id, 'approve');
    await tell(world);
    expect(world.mails.map(({ to }) => to)).toEqual([patient.email]);
    expect(world.mails[0]?.text).toContain('janji temu untuk Bintang Kecil');
  });

  it('of a relative says whose visit it is, though both have one name', async () => {
    const telling = await createTelling();
    const { world, patient } = telling;
    const { body: own } = await world.request('/v1/auth/profile', { token: patient.token });
    const { name } = own.data.user;
    const child = { name, birth_date: '2019-02-03', relation: 'child' };
    const { body } = await world.request('/v1/family', { token: patient.token, body: child });
    await act(telling, await book(telling, { patient_id: body.data.id }), 'approve');
    await tell(world);
    expect(world.mails[0]?.text).toContain(`janji temu untuk ${name}`);
  });

  it('of a delay goes to those who still wait for the doctor, and says the delay of now', async () => {
    const telling = await createTelling();
    const { world, practice, staff } = telling;
    const waiting = await book(telling);
    await act(telling, waiting, 'approve');
    const called = await book(telling, { schedule_time: '08:30:00' });
    for (const verb of ['approve', 'check-in', 'call']) await act(telling, called, verb);
    const gone = await book(telling, { schedule_time: '09:00:00' });
    for (const verb of ['approve', 'check-in', 'complete']) await act(telling, gone, verb);
    await tell(world);
    world.mails.splice(0);
    const say = (delay_minutes: number) =>
      world.request(`/v1/doctors/${practice.doctorId}/notice`, {
        method: 'PUT',
        token: staff.token,
        body: { date: '2026-11-23', delay_minutes, message: 'Dokter sedang operasi' },
      });
    expect((await say(30)).status).toBe(200);
    expect((await say(45)).status).toBe(200);
    await tell(world);
    expect((await logOf(world)).filter((line) => line.startsWith('delayed')).sort()).toEqual([
      'delayed email dropped superseded',
      'delayed email sent',
    ]);
    expect(world.mails).toHaveLength(1);
    expect(world.mails[0]?.text).toContain('terlambat sekitar 45 menit');
    expect(world.mails[0]?.text).not.toContain('operasi');
    await say(0);
    await tellAt(world, world.clock.now + minute);
    expect(world.mails).toHaveLength(1);
  });

  it('is dropped, with the reason, where its state has passed before it left', async () => {
    const telling = await createTelling();
    const { world } = telling;
    const working = world.deps.mailer;
    world.deps.mailer = { reachesPeople: true, send: () => Promise.reject(new Error('down')) };
    const canceled = await book(telling);
    const moved = await book(telling, { schedule_time: '13:00:00' });
    const begun = await book(telling, { schedule_time: '14:00:00' });
    for (const id of [canceled, moved, begun]) await act(telling, id, 'approve');
    await tell(world);
    await act(telling, begun, 'check-in');
    const off = (id: string, verb: string, body: object = {}) =>
      world.request(`/v1/bookings/${id}/${verb}`, { token: telling.patient.token, body });
    await off(canceled, 'cancel');
    await off(moved, 'reschedule', { schedule_date: '2026-11-24', schedule_time: '09:00:00' });
    world.deps.mailer = working;
    await tellAt(world, world.clock.now + minute);
    expect((await logOf(world)).sort()).toEqual([
      'approved email dropped begun',
      'approved email dropped canceled',
      'approved email dropped moved',
    ]);
    expect(world.mails).toEqual([]);
  });

  it('leaves nothing for later where no channel is set, and begins with what is new', async () => {
    const telling = await createTelling({});
    const { world } = telling;
    await act(telling, await book(telling), 'approve');
    await tell(world);
    expect(await logOf(world)).toEqual([]);
  });
});
