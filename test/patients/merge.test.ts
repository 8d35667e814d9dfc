import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { securityEvents, users } from '../../src/core/tables/accounts.ts';
import { bookings } from '../../src/core/tables/bookings.ts';
import { claimCodes, familyRelations, patients } from '../../src/core/tables/patients.ts';
import { bookingEvents } from '../../src/core/tables/webhooks.ts';
import { bookingInput } from '../support/clinic.ts';
import { act, detail } from '../support/clinic-people.ts';
import { findViolations } from '../support/invariants.ts';
import { setUp } from '../support/merging.ts';
import { createPerson } from '../support/people.ts';

const nik = '3171234567890001';

describe('a merge of two records', () => {
  it('moves the bookings, each in a version with an event of its own, and the old id leads to what is left', async () => {
    const { world, clinic, staff, add, merge, bookFor, read } = await setUp();
    const [old, left] = [await add(), await add({ name: 'Sudarmo' })];
    const first = await bookFor(old);
    await act(world, staff, first, 'cancel');
    const second = await bookFor(old, { schedule_time: '10:00:00' });
    const answer = await merge(old, left);
    expect(answer).toMatchObject({
      status: 200,
      body: { data: { id: left, merged_id: old, bookings: 2, relations: 0, dry_run: false } },
    });
    for (const id of [first, second])
      expect(await detail(world, staff, id)).toMatchObject({ patient: { id: left, name: 'Sudarmo' } });
    const events = await world.db.select().from(bookingEvents).where(eq(bookingEvents.bookingId, second));
    expect(events.map(({ type, version }) => [type, version])).toEqual([
      ['booking.created', 1],
      ['booking.updated', 2],
    ]);
    expect(JSON.parse(events[1]?.payload ?? '')).toMatchObject({ patient_id: left, version: 2 });
    expect((await read(old)).id).toBe(left);
    expect(await bookFor(old, { schedule_time: '11:00:00' })).toEqual(expect.any(String));
    expect(await read(left)).toMatchObject({ visits: { cancellations: 1 } });
    const busy = bookingInput(clinic.practice, { patient_id: old, schedule_time: '10:00:00' });
    const refused = await world.request('/v1/bookings', { token: staff.token, body: busy });
    expect(refused.body.code).toBe('patient_busy');
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('keeps what is there, takes what is lacking, and says where the two differ', async () => {
    const { add, merge, read } = await setUp();
    const old = await add({ birth_date: '1960-08-17', national_id: nik, staff_notes: 'Alergi penisilin.' });
    const left = await add({ name: 'Sudarmo', sex: 'male', staff_notes: 'Lewat pintu samping.' });
    const { data } = (await merge(old, left)).body;
    expect(data).toMatchObject({
      taken: ['birth_date', 'national_id'],
      differing: ['name', 'medical_record_number'],
    });
    expect(await read(left)).toMatchObject({
      name: 'Sudarmo',
      sex: 'male',
      birth_date: '1960-08-17',
      national_id: nik,
      numbers_confirmed: true,
      staff_notes: 'Lewat pintu samping.\nAlergi penisilin.',
    });
  });

  it('confirms no number that only a family typed', async () => {
    const { world, clinic, add, merge, read } = await setUp();
    const body = { name: 'Anak', birth_date: '2019-04-23', relation: 'child', national_id: nik };
    const child = (await world.request('/v1/family', { token: clinic.patient.token, body })).body.data.id;
    const left = await add({ insurance_number: '0001234567890' });
    expect((await merge(child, left)).body.data.taken).toEqual(['birth_date']);
    expect(await read(left)).toMatchObject({ national_id: null, numbers_confirmed: true });
  });

  it('leaves the old record, national and insurance number findable, and the old name not', async () => {
    const { add, merge, search } = await setUp();
    const old = await add({ national_id: nik });
    const left = await add({ name: 'Sudarmo', national_id: '3171234567890002' });
    await merge(old, left);
    for (const q of ['RM-000001', 'RM-000002', nik]) expect(await search(q), q).toEqual([left]);
    expect(await search('pak')).toEqual([]);
  });

  it('gives its medical record number to an account that has none', async () => {
    const { clinic, add, merge, read, search } = await setUp();
    const old = await add();
    expect((await merge(old, clinic.patient.id)).body.data.taken).toContain('medical_record_number');
    expect((await read(clinic.patient.id)).medical_record_number).toBe('RM-000001');
    expect(await search('RM-000001')).toEqual([clinic.patient.id]);
  });

  it('moves the family, once, and nobody into the family of themselves', async () => {
    const { world, clinic, add, merge } = await setUp();
    const { patient, stranger } = clinic;
    const [old, left] = [await add(), await add({ name: 'Sudarmo' })];
    const times = { createdAt: world.clock.now };
    const relation = (accountId: string, patientId: string) => ({
      accountId,
      patientId,
      relation: 'parent' as const,
      ...times,
    });
    await world.db
      .insert(familyRelations)
      .values([relation(patient.id, old), relation(stranger.id, old), relation(stranger.id, left)]);
    expect((await merge(old, left)).body.data.relations).toBe(2);
    const familyOf = async (who: { token: string }) =>
      (await world.request('/v1/family', { token: who.token })).body.data.map(({ id }: { id: string }) => id);
    expect(await familyOf(patient)).toEqual([patient.id, left]);
    expect(await familyOf(stranger)).toEqual([stranger.id, left]);
    await merge(left, patient.id);
    expect(await familyOf(patient)).toEqual([patient.id]);
    const change = { method: 'PATCH', token: stranger.token, body: { relation: 'sibling' } };
    expect((await world.request(`/v1/family/${old}`, change)).body.data.id).toBe(patient.id);
    const history = await world.request(`/v1/bookings/history?patient_id=${old}`, { token: stranger.token });
    expect(history.status).toBe(200);
    expect(
      (await world.request(`/v1/family/${old}`, { method: 'DELETE', token: stranger.token })).status,
    ).toBe(200);
    expect(await familyOf(stranger)).toEqual([stranger.id]);
  });

  it('leads on from records that were merged before', async () => {
    const { add, merge, read } = await setUp();
    const [a, b, c] = [await add(), await add({ name: 'Dua' }), await add({ name: 'Tiga' })];
    await merge(a, b);
    await merge(b, c);
    expect((await read(a)).id).toBe(c);
    const elsewhere = await merge(a, await add({ name: 'Empat' }));
    expect(elsewhere).toMatchObject({ status: 409, body: { code: 'patient_merged', merged_into: c } });
    expect((await merge(a, c)).body.data).toMatchObject({ id: c, bookings: 0 });
  });

  it('is refused with both bookings where the two are booked at the same time', async () => {
    const { world, staff, add, merge, bookFor } = await setUp();
    const [old, left] = [await add(), await add({ name: 'Sudarmo' })];
    const source = await bookFor(old);
    const into = await bookFor(left);
    const answer = await merge(old, left);
    expect(answer).toMatchObject({
      status: 409,
      body: { code: 'merge_conflict', conflicts: [{ source: { id: source }, into: { id: into } }] },
    });
    expect((await merge(old, left, { dry_run: true })).status).toBe(409);
    await act(world, staff, source, 'cancel');
    expect((await merge(old, left)).status).toBe(200);
  });

  it('is refused for a record with a login, into itself, and into none', async () => {
    const { clinic, add, merge } = await setUp();
    const left = await add();
    expect((await merge(clinic.patient.id, left)).body.code).toBe('patient_has_account');
    for (const into of [left, crypto.randomUUID(), clinic.admin.id])
      expect((await merge(left, into)).body.errors).toHaveProperty('into');
    expect((await merge(left, clinic.patient.id, {}, {}, clinic.patient)).status).toBe(403);
    expect((await merge(left, clinic.patient.id, {}, {}, clinic.doctor)).status).toBe(403);
  });

  it('treats a login without an e-mail as a login: it stays, and its name and addresses stay its own', async () => {
    const { world, clinic, add, merge } = await setUp();
    const { id } = clinic.patient;
    const byPhone = { email: null, emailProvedAt: null, phoneNumber: '', phoneCountryCode: '' };
    await world.db.update(users).set(byPhone).where(eq(users.id, id));
    await world.db.update(patients).set({ phoneNumber: '', phoneCountryCode: '' }).where(eq(patients.id, id));
    const old = await add({ email: 'darmo@klinik.example' });
    for (const more of [{ dry_run: true }, {}])
      expect(await merge(id, old, more)).toMatchObject({
        status: 409,
        body: { code: 'patient_has_account' },
      });
    expect((await merge(old, id)).status).toBe(200);
    const [record] = await world.db.select().from(patients).where(eq(patients.id, id));
    expect(record).toMatchObject({ email: null, phoneNumber: '', phoneCountryCode: '' });
  });

  it('shows with dry_run what would happen, and does nothing', async () => {
    const { world, add, merge, bookFor } = await setUp();
    const [old, left] = [await add({ sex: 'male' }), await add({ name: 'Sudarmo' })];
    await bookFor(old);
    const stored = async () =>
      JSON.stringify([await world.db.select().from(patients), await world.db.select().from(bookings)]);
    const before = await stored();
    const { data } = (await merge(old, left, { dry_run: true })).body;
    expect(data).toMatchObject({ bookings: 1, taken: ['sex'], dry_run: true });
    expect(await stored()).toBe(before);
  });

  it('ends the codes of the old record, and is in the trail', async () => {
    const { world, staff, add, merge } = await setUp();
    const [old, left] = [await add({ birth_date: '1960-08-17' }), await add({ name: 'Sudarmo' })];
    await world.request(`/v1/patients/${old}/claim-code`, { method: 'POST', token: staff.token });
    await merge(old, left);
    const [code] = await world.db.select().from(claimCodes);
    expect(code?.usedAt).toBe(world.clock.now);
    const trail = await world.db
      .select()
      .from(securityEvents)
      .where(eq(securityEvents.type, 'patient_merged'));
    expect(trail).toMatchObject([{ actorId: staff.id }]);
    expect(JSON.parse(trail[0]?.detail ?? '')).toEqual({ patient_id: old, into: left, bookings: 0, done: 1 });
    const person = await createPerson(world);
    expect((await merge(left, person.id)).status).toBe(200);
  });
});
