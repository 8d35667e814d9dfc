import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { securityEvents } from '../../src/core/tables/accounts.ts';
import { bookings } from '../../src/core/tables/bookings.ts';
import { replays } from '../../src/core/tables/idempotency.ts';
import { most } from '../../src/modules/patients/export/rules.ts';
import { act, book, createClinic } from '../support/clinic-people.ts';
import { createMarkedPerson } from '../support/marked-person.ts';
import { createWorld, registerPatient, type World } from '../support/world.ts';

const exportOwn = (world: World, { token }: { token: string }) =>
  world.request('/v1/auth/export', { method: 'POST', token });

describe('a copy of all stored data', () => {
  it('is one file that no cache keeps, with every mark that the person has left', async () => {
    const world = await createWorld({
      MAX_UNPROVED_BOOKINGS: '0',
      MAIL_API_URL: 'https://mail.klinik.example',
    });
    const person = await createMarkedPerson(world);
    const answer = await exportOwn(world, person);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Cache-Control')).toContain('no-store');
    expect(answer.headers.get('Content-Disposition')).toBe('attachment; filename="janji-export.json"');
    const { data } = answer.body;
    expect(data.complete).toBe(true);
    const text = JSON.stringify(data);
    const left = [
      'Żulkarnain Ünikpenanda',
      'zulkarnain.unik@penanda-surel.example',
      'surel.baru@penanda-lain.example',
      '817771344098',
      'Gang Penandajalan 77',
      '1987-03-19',
      '3177987654321098',
      '0007771239876',
      'RM-PENANDA-9',
      'P88112233445',
      '0301R0010126B998877',
      'gawai-penanda-pertama',
      'gawai-penanda-kedua',
      'PenandaPeramban/9.9',
      'penandanyeri',
      'penandadesak',
      'penandaruang',
      'penandabatal',
      'penandaklinik',
      'Penandakecil',
      'Asrama Penandaanak',
      'Penandaganda',
      'penandagabung',
      'Penandaklaim',
    ];
    expect(left.filter((mark) => !text.includes(mark))).toEqual([]);
    expect(data.records.map(({ relation }: { relation: string | null }) => relation).sort()).toEqual(
      ['child', 'parent', 'self', null, null].sort(),
    );
    const visit = data.bookings.find(({ id }: { id: string }) => id === person.visitId);
    expect(visit.events.map(({ type }: { type: string }) => type)).toEqual([
      'booking.created',
      'booking.approved',
      'booking.checked_in',
      'booking.called',
      'booking.completed',
      'booking.updated',
    ]);
    expect(data.consents).toMatchObject([{ kind: 'given', consent_version: '2026-11' }]);
    expect(data.mails.length).toBeGreaterThan(1);
    expect(data.security_events.map(({ type }: { type: string }) => type)).toContain('login_failed');
    for (const secret of ['argon2', 'password_hash', 'hash']) expect(text).not.toContain(secret);
  });

  it('opens the numbers and the notes of the clinic for the own record and a child, not for an adult', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world, { capacity: 3 });
    const { patient, staff } = clinic;
    const numbers = { national_id: '3171234567890001', insurance_number: '0001234567890' };
    const add = async (body: object): Promise<string> =>
      (await world.request('/v1/family', { token: patient.token, body: { ...numbers, ...body } })).body.data
        .id;
    const child = await add({ name: 'Anak', birth_date: '2009-11-24', relation: 'child' });
    const grown = await add({ name: 'Sulung', birth_date: '2008-11-23', relation: 'child' });
    const wife = await add({ name: 'Istri', birth_date: '1990-01-01', relation: 'spouse' });
    for (const id of [child, grown, wife]) {
      const body = { staff_notes: 'Hanya untuk klinik' };
      await world.request(`/v1/patients/${id}`, { method: 'PATCH', token: staff.token, body });
      const made = await book(world, clinic, { patient_id: id });
      await world.request(`/v1/bookings/${made}`, { method: 'PATCH', token: staff.token, body });
    }
    const { data } = (await exportOwn(world, patient)).body;
    const recordOf = (wanted: string) => data.records.find(({ id }: { id: string }) => id === wanted);
    expect(recordOf(child)).toMatchObject({ ...numbers, whole: true, staff_notes: 'Hanya untuk klinik' });
    for (const id of [grown, wife])
      expect(recordOf(id)).toMatchObject({
        whole: false,
        national_id: '3171••••••••0001',
        staff_notes: '',
      });
    const notes = data.bookings.map((b: Record<string, unknown>) => [b.patient_id, b.staff_notes]);
    expect(Object.fromEntries(notes)).toEqual({
      [child]: 'Hanya untuk klinik',
      [grown]: undefined,
      [wife]: undefined,
    });
  });

  it('has what other systems keep with a booking, as the notes of the clinic', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world, { capacity: 2 });
    const { patient, staff } = clinic;
    const spouse = { name: 'Istri', birth_date: '1990-01-01', relation: 'spouse' };
    const family = await world.request('/v1/family', { token: patient.token, body: spouse });
    await book(world, clinic, {});
    await book(world, clinic, { patient_id: family.body.data.id });
    await world.db.update(bookings).set({ externalId: sql`'A-' || id`, metadata: '{"kasir":"7"}' });
    const { data } = (await exportOwn(world, patient)).body;
    const shown = data.bookings.map((one: Record<string, unknown>) => [
      one.patient_id === family.body.data.id,
      one.external_id === `A-${one.id}`,
      one.metadata,
    ]);
    expect(shown.sort()).toEqual([
      [false, true, { kasir: '7' }],
      [true, false, undefined],
    ]);
    const asked = { method: 'POST', token: staff.token, body: {} } as const;
    expect((await world.request(`/v1/patients/${patient.id}/export`, asked)).status).toBe(403);
  });

  it('is recorded, and holds nothing of anybody else', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    await book(world, clinic, { notes: 'Rahasia orang lain' });
    const other = await registerPatient(world);
    const { data } = (await exportOwn(world, other)).body;
    expect(data).toMatchObject({ bookings: [], records: [{ id: other.id }] });
    const events = await world.db.select().from(securityEvents);
    expect(events.at(-1)).toMatchObject({ type: 'account_exported', userId: other.id, actorId: other.id });
  });

  it('is bounded for the largest account, and says so', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const id = await book(world, clinic, { notes: 'n'.repeat(1_000) });
    const columns = Object.values(bookings).flatMap((c) =>
      typeof c === 'object' && 'name' in c ? [c.name] : [],
    );
    const changed: Record<string, string> = {
      id: "printf('00000000-0000-4000-8000-%012d', n)",
      write_id: "'w' || n",
      booking_code: "'c' || n",
      starts_at: 'starts_at - n * 86400000',
      ends_at: 'ends_at - n * 86400000',
      queue_number: 'n + 1',
    };
    const selected = columns.map((name) => changed[name] ?? name).join(', ');
    // A booking a day for fifteen years; made by the database, since each would be a round trip.
    await world.db.insert(bookings).select(
      sql`with recursive days(n) as (select 1 union all select n + 1 from days where n < ${sql.raw(String(most.bookings + 100))})
        select ${sql.raw(selected)} from days, bookings where bookings.id = ${id}`,
    );
    const answer = await exportOwn(world, clinic.patient);
    const { data } = answer.body;
    expect(data.complete).toBe(false);
    expect(data.bookings).toHaveLength(most.bookings);
    expect(data.bookings[0].id).toBe(id);
    expect(JSON.stringify(data).length).toBeLessThan(most.bookings * 3_000);
    await world.db.delete(bookings).where(sql`${bookings.id} <> ${id}`);
  });
});

describe('an admin, for a patient who asks at the desk', () => {
  it('returns one record, only to an admin, and its answer is never stored', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const { staff, admin, patient } = clinic;
    const body = {
      name: 'Pak Darmo',
      birth_date: '1960-08-17',
      national_id: '3171234567890001',
      staff_notes: 'Alergi',
    };
    const { id } = (await world.request('/v1/patients', { token: staff.token, body })).body.data;
    const made = await book(world, clinic, { patient_id: id, notes: 'Kontrol' }, staff.token);
    await act(world, staff, made, 'cancel', { reason: 'Dokter sakit' });
    const ask = (token: string, wanted = id, headers = {}) =>
      world.request(`/v1/patients/${wanted}/export`, { method: 'POST', token, headers });
    const headers = { 'Idempotency-Key': 'salinan' };
    const { data } = (await ask(admin.token, id, headers)).body;
    expect(data).toMatchObject({
      account: null,
      records: [{ id, whole: true, national_id: '3171234567890001', staff_notes: 'Alergi' }],
      bookings: [{ id: made, notes: 'Kontrol', cancellation: { reason: 'Dokter sakit' } }],
    });
    expect(JSON.stringify(await world.db.select().from(replays))).not.toContain('Darmo');
    expect((await ask(admin.token, id, headers)).body.code).toBe('idempotency_key_spent');
    expect((await ask(staff.token)).status).toBe(403);
    expect((await ask(patient.token, patient.id)).status).toBe(403);
    expect((await ask(admin.token, crypto.randomUUID())).status).toBe(404);
    // A colleague whom the clinic never treated is no patient.
    expect((await ask(admin.token, staff.id)).status).toBe(404);
    const events = await world.db.select().from(securityEvents);
    expect(events.filter(({ type }) => type === 'patient_exported')).toMatchObject([
      { actorId: admin.id, detail: JSON.stringify({ patient_id: id }) },
    ]);
  });
});
