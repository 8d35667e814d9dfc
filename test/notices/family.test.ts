import { and, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { noticeChoices } from '../../src/core/tables/mail.ts';
import { familyRelations } from '../../src/core/tables/patients.ts';
import {
  act,
  book,
  createTelling,
  hour,
  logOf,
  mailing,
  minute,
  openBox,
  proveEmail,
  tell,
  tellAt,
} from '../support/notices.ts';
import { createPerson } from '../support/people.ts';
import { allergy, ask } from '../support/questions.ts';
import { mondayMorning } from '../support/world.ts';

/** A child for whom two accounts act; the first one books. */
const createParents = async (settings: Record<string, string> = mailing, date = '2026-11-23') => {
  const telling = await createTelling(settings);
  const { world, patient: mother } = telling;
  const father = await createPerson(world);
  await proveEmail(world, father.id);
  const child = { name: 'Bintang Kecil', birth_date: '2020-02-03', relation: 'child' };
  const { body } = await world.request('/v1/family', { token: mother.token, body: child });
  const childId: string = body.data.id;
  const [relation] = await world.db.select().from(familyRelations);
  if (relation === undefined) throw new Error('There is no relation.');
  await world.db.insert(familyRelations).values({ ...relation, accountId: father.id });
  const id = await book(telling, { patient_id: childId, schedule_date: date });
  await tell(world);
  const change = async (token: string, verb: string, fields: object = {}) => {
    const { status } = await world.request(`/v1/bookings/${id}/${verb}`, { token, body: fields });
    expect(status).toBe(200);
    await tell(world);
  };
  const sent = () => world.mails.map(({ to, subject }) => [to, subject]);
  return { ...telling, mother, father, childId, id, change, sent };
};

const later = { schedule_date: '2026-11-24', schedule_time: '13:00:00' };

describe('a change that one account of the family makes', () => {
  it('of a visit is notified to the other one, and says that it was the family', async () => {
    const { world, father, mother, change, sent } = await createParents();
    await change(mother.token, 'reschedule', later);
    await change(father.token, 'cancel');
    expect(sent()).toEqual([
      [father.email, 'Janji temu dipindahkan oleh akun lain dalam keluarga'],
      [mother.email, 'Janji temu dibatalkan oleh akun lain dalam keluarga'],
    ]);
    expect(world.mails[1]?.text).toContain(
      'Janji temu untuk Bintang Kecil berikut telah dibatalkan oleh akun lain dalam keluarga.',
    );
    await tellAt(world, world.clock.now + minute);
    expect(sent()).toHaveLength(2);
  });

  it('has a template of its own at the gateway', async () => {
    const { settings, box } = openBox();
    const { world, mother, change } = await createParents({ ...mailing, ...settings });
    await change(mother.token, 'cancel');
    expect(await logOf(world)).toEqual(['canceled email sent', 'canceled message sent']);
    const { delivered } = await box();
    expect(delivered.map(({ template }) => template)).toEqual(['janji_canceled_family']);
  });

  it('is not notified to an account that acts for the patient no more, nor instead to the one that made it', async () => {
    const { world, mother, father, childId, change, sent } = await createParents(mailing, '2026-11-26');
    world.clock.now = mondayMorning + 15 * hour;
    await change(mother.token, 'reschedule', { ...later, schedule_date: '2026-11-27' });
    await world.db
      .update(familyRelations)
      .set({ endedAt: world.clock.now })
      .where(and(eq(familyRelations.accountId, father.id), eq(familyRelations.patientId, childId)));
    await tellAt(world, mondayMorning + 24 * hour);
    expect(sent()).toEqual([]);
    expect(await logOf(world)).toEqual(['moved email dropped unreachable']);
  });
});

describe('a change that the clinic makes', () => {
  it('is notified to every account of the family', async () => {
    const telling = await createParents();
    const { world, mother, father, id, sent } = telling;
    await act(telling, id, 'cancel');
    await tell(world);
    expect(sent().sort()).toEqual(
      [mother.email, father.email].map((to) => [to, 'Janji temu dibatalkan oleh klinik']).sort(),
    );
    expect(await logOf(world)).toEqual(['canceled email sent', 'canceled email sent']);
  });
});

describe('the desk', () => {
  const wish = async (telling: Awaited<ReturnType<typeof createTelling>>, desk = true) => {
    const { world, staff } = telling;
    await proveEmail(world, staff.id);
    const sent = { method: 'PATCH', token: staff.token, body: { desk } };
    const { status, body } = await world.request('/v1/auth/notices', sent);
    expect([status, body.data.desk]).toEqual([200, desk]);
  };
  const changeAsPatient = async (
    { world, patient }: Awaited<ReturnType<typeof createTelling>>,
    id: string,
    verb: string,
    body: object = {},
  ) => {
    expect((await world.request(`/v1/bookings/${id}/${verb}`, { token: patient.token, body })).status).toBe(
      200,
    );
    await tell(world);
  };

  it('gets notices, if it wants them, of visits of today and tomorrow that patients cancel or move, and of nothing else', async () => {
    const telling = await createTelling();
    const { world, staff } = telling;
    await wish(telling);
    const today = await book(telling);
    const tomorrow = await book(telling, { schedule_date: '2026-11-24' });
    const later = await book(telling, { schedule_date: '2026-11-26' });
    await changeAsPatient(telling, later, 'cancel');
    expect(world.mails).toEqual([]);
    await changeAsPatient(telling, today, 'cancel');
    const slot = { schedule_date: '2026-11-26', schedule_time: '14:00:00' };
    await changeAsPatient(telling, tomorrow, 'reschedule', slot);
    expect(world.mails.map(({ to, subject }) => [to, subject])).toEqual([
      [staff.email, 'Pasien membatalkan janji temu'],
      [staff.email, 'Pasien memindahkan janji temu'],
    ]);
    expect(world.mails[1]?.text).toContain('dari Selasa, 24 November 2026, 12.00 WIB. Jadwal yang baru:');
    expect(await logOf(world)).toEqual(['patient_canceled email sent', 'patient_moved email sent']);
  });

  it('gets a notice, without a word of them, of answers that a patient gives for a visit of today or tomorrow', async () => {
    const telling = await createTelling();
    const { world, staff, patient } = telling;
    await wish(telling);
    const admin = await createPerson(world, 'admin');
    await ask(world, { ...telling, admin }, [allergy]);
    const answer = async (who: { token: string }, id: string, value: string) => {
      const body = { answers: [{ id: 'alergi', value }] };
      const sent = { method: 'PUT', token: who.token, body };
      expect((await world.request(`/v1/bookings/${id}/answers`, sent)).status).toBe(200);
    };
    const tomorrow = await book(telling, { schedule_date: '2026-11-24' });
    await answer(patient, await book(telling, { schedule_date: '2026-11-26' }), 'Penisilin');
    await answer(staff, tomorrow, 'Udang');
    await tell(world);
    expect(world.mails).toEqual([]);
    await answer(patient, tomorrow, 'Penisilin');
    await answer(patient, tomorrow, 'Penisilin dan udang');
    await tell(world);
    expect(world.mails.map(({ to, subject }) => [to, subject])).toEqual([
      [staff.email, 'Pasien menjawab pertanyaan'],
    ]);
    expect(world.mails[0]?.text).not.toMatch(/penisilin|udang/i);
    expect((await logOf(world)).sort()).toEqual([
      'patient_answered email dropped superseded',
      'patient_answered email sent',
    ]);
  });

  it('gets no notice if it does not want them', async () => {
    const telling = await createTelling();
    await changeAsPatient(telling, await book(telling), 'cancel');
    await wish(telling);
    await wish(telling, false);
    await changeAsPatient(telling, await book(telling), 'cancel');
    expect(telling.world.mails).toEqual([]);
  });

  it('gets no notice of its own actions', async () => {
    const telling = await createTelling();
    await wish(telling);
    await act(telling, await book(telling), 'cancel');
    await tell(telling.world);
    expect(telling.world.mails.map(({ to }) => to)).toEqual([telling.patient.email]);
  });

  it('is not what a patient can wish to be', async () => {
    const { world, patient } = await createTelling();
    const sent = { method: 'PATCH', token: patient.token, body: { desk: true } };
    expect((await world.request('/v1/auth/notices', sent)).status).toBe(403);
  });

  it('has doctors who get notices only of their own visits', async () => {
    const telling = await createTelling();
    const { world, practice } = telling;
    const own = await createPerson(world, 'doctor', practice.doctorId);
    const other = await createPerson(world, 'doctor', world.deps.newId());
    for (const { id } of [own, other]) {
      await proveEmail(world, id);
      await world.db.insert(noticeChoices).values({
        personId: id,
        email: true,
        message: true,
        stoppedKinds: '[]',
        language: 'en',
        desk: true,
        updatedAt: world.clock.now,
      });
    }
    await changeAsPatient(telling, await book(telling), 'cancel');
    expect(world.mails.map(({ to, subject }) => [to, subject])).toEqual([
      [own.email, 'A patient canceled an appointment'],
    ]);
  });
});
