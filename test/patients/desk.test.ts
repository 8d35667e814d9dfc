import { describe, expect, it } from 'vitest';
import { patients } from '../../src/core/tables/patients.ts';
import { bookingInput } from '../support/clinic.ts';
import { act, book, createClinic } from '../support/clinic-people.ts';
import { createWorld, registerPatient } from '../support/world.ts';

const walkIn = { name: 'Pak Darmo', phone_number: '81355500001', phone_country_code: '62' };
const nik = '3171234567890001';
const card = '0001234567890';

const setUp = async () => {
  const world = await createWorld();
  const clinic = await createClinic(world, { capacity: 5 });
  const add = (fields: object = {}, headers: Record<string, string> = {}, who = clinic.staff) =>
    world.request('/v1/patients', { token: who.token, body: { ...walkIn, ...fields }, headers });
  const read = (id: string, who = clinic.staff) => world.request(`/v1/patients/${id}`, { token: who.token });
  const change = (id: string, body: object, who = clinic.staff) =>
    world.request(`/v1/patients/${id}`, { method: 'PATCH', token: who.token, body });
  const find = async (q: string) => {
    const { body } = await world.request(`/v1/patients?q=${encodeURIComponent(q)}`, {
      token: clinic.staff.token,
    });
    return body.data.map(({ name }: { name: string }) => name);
  };
  return { world, clinic, add, read, change, find };
};

describe('a patient whom the desk adds', () => {
  it('needs no account, takes the next record number, and is booked for at once', async () => {
    const { world, clinic, add } = await setUp();
    const first = await add();
    expect(first).toMatchObject({
      status: 201,
      body: { data: { ...walkIn, medical_record_number: 'RM-000001', has_account: false } },
    });
    expect((await add({ name: 'Bu Siti' })).body.data.medical_record_number).toBe('RM-000002');
    const body = bookingInput(clinic.practice, { patient_id: first.body.data.id });
    const booked = await world.request('/v1/bookings', { token: clinic.staff.token, body });
    expect(booked.status).toBe(201);
  });

  it('has a name and one more thing to tell them by', async () => {
    const { world, clinic } = await setUp();
    const ask = (body: object) => world.request('/v1/patients', { token: clinic.staff.token, body });
    expect((await ask({ name: 'Pak Darmo' })).body.errors).toHaveProperty('phone_number');
    for (const known of [{ birth_date: '1960-08-17' }, { national_id: nik }])
      expect((await ask({ name: 'Pak Darmo', ...known })).status).toBe(201);
  });

  it('passes over a number that was given by hand, and refuses one that is taken', async () => {
    const { add } = await setUp();
    expect((await add({ medical_record_number: 'RM-000001' })).status).toBe(201);
    expect((await add({ name: 'Bu Siti' })).body.data.medical_record_number).toBe('RM-000002');
    const again = await add({ name: 'Bu Ani', medical_record_number: 'RM-000002' });
    expect(again.body.errors).toEqual({ medical_record_number: ['Sudah dipakai.'] });
  });

  it('gives each of 40 who are added at once a record number of their own', async () => {
    const { add } = await setUp();
    const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => add({ name: `Pasien ${at}` })));
    const numbers = answers.map(({ body }) => body.data.medical_record_number);
    expect(new Set(numbers).size).toBe(40);
  });

  it('is added once by a request that comes again under its key, with the same answer', async () => {
    const { world, add } = await setUp();
    const headers = { 'Idempotency-Key': 'pak-darmo' };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => add({ birth_date: '1960-08-17', confirm: true }, headers)),
    );
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers[0]?.body.data.medical_record_number).toBe('RM-000001');
    const named = await world.db.select({ name: patients.name }).from(patients);
    expect(named.filter(({ name }) => name === walkIn.name)).toHaveLength(1);
  });

  it('that looks like one who is there is shown, and added once that is confirmed', async () => {
    const { add } = await setUp();
    const { id } = (await add({ birth_date: '1960-08-17' })).body.data;
    const alike = await add({ birth_date: '1960-08-17', name: 'PAK DARMO', phone_number: '8111111' });
    expect(alike).toMatchObject({ status: 409, body: { code: 'possible_duplicate', candidates: [{ id }] } });
    const samePhone = await add({ birth_date: '1960-08-17', name: 'Bu Darmo', phone_number: '081355500001' });
    expect(samePhone.body.code).toBe('possible_duplicate');
    expect((await add({ birth_date: '1960-08-17', confirm: true })).status).toBe(201);
  });

  it('has a phone as people write it, under its country code, and is found by each form', async () => {
    const { world, clinic, add } = await setUp();
    const { id, ...own } = (await add({ phone_number: '+62 812-9876 (5432)', phone_country_code: '+62' }))
      .body.data;
    expect(own).toMatchObject({ phone_number: '81298765432', phone_country_code: '62' });
    for (const q of [
      '0812-9876-5432',
      '+62 812 98765432',
      '6281298765432',
      '(0812) 9876.5432',
      '81298765432',
    ]) {
      const { body } = await world.request(`/v1/patients?q=${encodeURIComponent(q)}`, {
        token: clinic.staff.token,
      });
      expect([q, body.data.map((each: { id: string }) => each.id)]).toEqual([q, [id]]);
    }
    const other = await add({ phone_number: '+65 9123 4567', phone_country_code: '62' });
    expect([other.status, Object.keys(other.body.errors)]).toEqual([422, ['phone_number']]);
    for (const phone_number of ['081x', '+', '123', '1234567890123456', '08 12+34 56'])
      expect((await add({ phone_number, phone_country_code: '62' })).status).toBe(422);
  });

  it('that has the name and the phone of another one looks like them, without a birth date and however both are written', async () => {
    const { add } = await setUp();
    const agus = { name: "Nur'aini Agus-Salim", phone_number: '081234567801', phone_country_code: '62' };
    const { id } = (await add(agus)).body.data;
    for (const name of ['nur aini agus salim', 'NURAINI AGUSSALIM', 'Nur’aini  Agus Sálim']) {
      const again = await add({ ...agus, name, phone_number: '81234567801' });
      expect(again).toMatchObject({
        status: 409,
        body: { code: 'possible_duplicate', candidates: [{ id }] },
      });
    }
    for (const phone_number of ['0812 3456 7801', '81234567801', '6281234567801'])
      expect((await add({ ...agus, phone_number, phone_country_code: undefined })).body.code).toBe(
        'possible_duplicate',
      );
    expect((await add({ ...agus, name: 'Nur Agus' })).status).toBe(201);
    expect((await add({ ...agus, phone_number: '081234567802' })).status).toBe(201);
    expect((await add({ ...agus, confirm: true })).status).toBe(201);
  });

  it('without a country code is found by a later one with it', async () => {
    const { add } = await setUp();
    for (const [bare, whole, phone_country_code] of [
      ['081234567811', '81234567811', '62'],
      ['6281234567812', '081234567812', '62'],
      ['81234567813', '081234567813', undefined],
    ]) {
      const { id } = (await add({ name: 'Sari', phone_number: bare, phone_country_code: undefined })).body
        .data;
      expect((await add({ name: 'sari', phone_number: whole, phone_country_code })).body).toMatchObject({
        code: 'possible_duplicate',
        candidates: [{ id }],
      });
    }
  });

  it.each([
    ['national id', { national_id: nik }],
    ['insurance number', { insurance_number: card }],
  ])('with the %s of another one is refused, confirmed or not, and also at once', async (_what, numbers) => {
    const { add } = await setUp();
    const { id } = (await add(numbers)).body.data;
    const again = await add({ ...numbers, name: 'Lain', phone_number: '8111111', confirm: true });
    expect(again).toMatchObject({ status: 409, body: { code: 'patient_exists', candidates: [{ id }] } });
    const fresh = Object.fromEntries(
      Object.entries(numbers).map(([key, value]) => [key, `9${value.slice(1)}`]),
    );
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        add({ ...fresh, name: `Pasien ${at}`, phone_number: `81100${at}` }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'patient_exists')).toHaveLength(9);
  });

  it('is nobody’s to add but staff’s and admins’', async () => {
    const { clinic, add } = await setUp();
    for (const who of [clinic.patient, clinic.doctor]) expect((await add({}, {}, who)).status).toBe(403);
    expect((await add({}, {}, clinic.admin)).status).toBe(201);
  });
});

describe('a patient’s record', () => {
  it('shows staff the numbers whole, a doctor their ends, and lists no more than those', async () => {
    const { world, clinic, add, read } = await setUp();
    const { id } = (await add({ national_id: nik, insurance_number: card })).body.data;
    expect((await read(id)).body.data).toMatchObject({ national_id: nik, insurance_number: card });
    expect((await read(id, clinic.doctor)).status).toBe(404);
    await book(world, clinic, { patient_id: id }, clinic.staff.token);
    const hidden = { national_id: '3171••••••••0001', insurance_number: '0001•••••7890' };
    expect((await read(id, clinic.doctor)).body.data).toMatchObject(hidden);
    expect((await read(id, clinic.otherDoctor)).status).toBe(404);
    const { body } = await world.request('/v1/patients', { token: clinic.staff.token });
    expect(body.data.find((patient: { id: string }) => patient.id === id)).toMatchObject(hidden);
    expect(JSON.stringify(await world.db.select().from(patients))).not.toContain(nik);
  });

  it('counts visits, absences and cancellations, and names the last and the next booking', async () => {
    const { world, clinic, add, read } = await setUp();
    const { id } = (await add()).body.data;
    const times = ['09:00:00', '09:30:00', '10:00:00', '15:00:00'];
    const ids: string[] = [];
    for (const schedule_time of times)
      ids.push(await book(world, clinic, { patient_id: id, schedule_time }, clinic.staff.token));
    const [first = '', second = '', third = ''] = ids;
    for (const booked of [first, second]) await act(world, clinic.staff, booked, 'approve');
    await act(world, clinic.staff, third, 'cancel');
    world.clock.now = Date.parse('2026-11-23T03:00:00Z');
    for (const verb of ['check-in', 'complete']) await act(world, clinic.staff, first, verb);
    await act(world, clinic.staff, second, 'no-show');
    expect((await read(id)).body.data.visits).toEqual({
      completed: 1,
      no_shows: 1,
      cancellations: 1,
      last: '2026-11-23T02:30:00.000Z',
      next: '2026-11-23T08:00:00.000Z',
      last_booking_id: second,
      next_booking_id: ids[3],
    });
    const theirs = { ...clinic, practice: clinic.others };
    const other = { patient_id: id, schedule_date: '2026-11-24' };
    const elsewhere = await book(world, theirs, other, clinic.staff.token);
    await act(world, clinic.staff, `${ids[3]}`, 'cancel');
    const byDoctor = await world.request(`/v1/patients/${id}`, { token: clinic.doctor.token });
    expect(byDoctor.body.data.visits).toMatchObject({ last_booking_id: second, next_booking_id: null });
    expect((await read(id)).body.data.visits.next_booking_id).toBe(elsewhere);
    const { body } = await world.request(`/v1/patients/${id}/bookings?limit=3`, {
      token: clinic.staff.token,
    });
    expect(body.data.map((item: { id: string }) => item.id)).toEqual([elsewhere, ids[3], third]);
    expect(body.meta.next_cursor).not.toBeNull();
  });

  it('is no colleague’s, and no patient’s to read', async () => {
    const { clinic, read } = await setUp();
    expect((await read(clinic.admin.id)).status).toBe(404);
    expect((await read(clinic.doctor.id, clinic.admin)).status).toBe(404);
    expect((await read(clinic.patient.id, clinic.patient)).status).toBe(403);
    expect((await read(clinic.patient.id)).body.data).toMatchObject({ has_account: true });
  });

  it('is corrected with the account that has it, once by version', async () => {
    const { world, clinic, read, change } = await setUp();
    const patient = await registerPatient(world, { name: 'Putri Lama' });
    const changed = await change(patient.id, { name: 'Putri Baru', birth_date: '1990-01-31', version: 1 });
    expect(changed.body.data).toMatchObject({ name: 'Putri Baru', birth_date: '1990-01-31', version: 2 });
    expect((await change(patient.id, { name: 'Lain', version: 1 })).body.code).toBe('version_mismatch');
    const profile = await world.request('/v1/auth/profile', { token: patient.token });
    expect(profile.body.data.user).toMatchObject({ name: 'Putri Baru', email: patient.email });
    const body = { name: 'Putri Sendiri' };
    await world.request('/v1/auth/profile', { method: 'PATCH', token: patient.token, body });
    expect((await read(patient.id)).body.data).toMatchObject({ name: 'Putri Sendiri', version: 3 });
    expect((await change(patient.id, { name: 'x' }, clinic.doctor)).status).toBe(403);
  });

  it('keeps an e-mail of its own, which never changes that of the login', async () => {
    const { world, change } = await setUp();
    const patient = await registerPatient(world);
    expect((await change(patient.id, { email: 'anak@klinik.example' })).body.data.email).toBe(
      'anak@klinik.example',
    );
    const profile = await world.request('/v1/auth/profile', { token: patient.token });
    expect(profile.body.data.user.email).toBe(patient.email);
    expect((await change(patient.id, { email: null })).body.data.email).toBe(patient.email);
  });
});

describe('a search of patients', () => {
  it('finds by name, phone, e-mail, date of birth, record, national and insurance number', async () => {
    const { add, find } = await setUp();
    const more = { birth_date: '1960-08-17', email: 'darmo@klinik.example' };
    await add({ ...more, national_id: nik, insurance_number: card });
    await add({ name: 'Bu Siti', phone_number: '81399900001' });
    const asked = ['darm', '0813555', '+62 813-5550', 'darmo@', '1960-08-17', '17-08-1960', 'rm-000001'];
    for (const q of [...asked, nik, '3171 2345 6789 0001', card])
      expect(await find(q), q).toEqual(['Pak Darmo']);
    expect(await find('3171')).toEqual([]);
  });

  it('finds no colleague', async () => {
    const { find } = await setUp();
    expect(await find('staff')).toEqual([]);
    expect(await find('admin')).toEqual([]);
  });
});
