import { beforeEach, describe, expect, it } from 'vitest';
import { bookingEvents } from '../../src/core/tables/webhooks.ts';
import { bookingInput } from '../support/clinic.ts';
import { act, createClinic } from '../support/clinic-people.ts';
import { addKey } from '../support/keys.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
let clinic: Awaited<ReturnType<typeof createClinic>>;

beforeEach(async () => {
  world = await createWorld();
  clinic = await createClinic(world, { capacity: 3 });
});

const ask = (path: string, body?: object, method?: string, token = clinic.admin.token) =>
  world.request(`/v1/${path}`, { token, ...(body && { body }), ...(method && { method }) });

const unit = { external_id: 'A-1042', metadata: { 'simrs.unit': 'Poli Umum' } };
const newPatient = { name: 'Budi Hartono', birth_date: '1971-03-04' };

const kinds = [
  ['admin/doctors', { name: 'Rina' }, { name: 'Dewi' }],
  ['admin/sessions', { name: 'Kontrol' }, { name: 'Vaksin' }],
  ['patients', newPatient, { name: 'Sri Lestari', birth_date: '1980-01-01' }],
] as const;

describe('an id of another system', () => {
  it.each(kinds)(
    'of %s is unique, found, changed and taken back, with texts beside it',
    async (path, one, other) => {
      const made = await ask(path, { ...one, ...unit });
      expect(made.status, JSON.stringify(made.body)).toBe(201);
      expect(made.body.data).toMatchObject(unit);
      const { id } = made.body.data;
      const twin = await ask(path, { ...other, ...unit });
      expect([twin.status, twin.body.code]).toEqual([409, 'external_id_taken']);
      const second = await ask(path, other);
      expect(second.body.data).toMatchObject({ external_id: null, metadata: {} });
      const change = await ask(`${path}/${second.body.data.id}`, { external_id: 'A-1042' }, 'PATCH');
      expect([change.status, change.body.code]).toEqual([409, 'external_id_taken']);
      const found = await ask(`${path}?external_id=A-1042`);
      expect(found.body.data.map((row: { id: string }) => row.id)).toEqual([id]);
      expect((await ask(`${path}?external_id=B`)).body.data).toEqual([]);
      await ask(`${path}/${id}`, { external_id: null, metadata: {} }, 'PATCH');
      expect((await ask(`${path}/${id}`)).body.data).toMatchObject({ external_id: null, metadata: {} });
      expect((await ask(`${path}/${second.body.data.id}`, unit, 'PATCH')).status).toBe(200);
    },
  );

  it.each(kinds)('of %s says what is wrong with a name that cannot be kept', async (path, one) => {
    // As a text, since the literal would set the prototype.
    for (const metadata of ['{"__proto__":"a"}', '{"__proto__":"a","rak":"b"}', '{"a b":"c"}']) {
      const body = { ...one, metadata: JSON.parse(metadata) };
      const made = await ask(path, body);
      expect([made.status, Object.keys(made.body.errors ?? {})], metadata).toEqual([422, ['metadata']]);
    }
  });

  it('of a booking is set only by the clinic, found on any date, and in its events', async () => {
    const { staff, patient, practice } = clinic;
    const body = {
      ...bookingInput(practice, { schedule_date: '2026-11-30' }),
      patient_id: patient.id,
      ...unit,
    };
    const made = await ask('bookings', body, 'POST', staff.token);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const { id } = made.body.data;
    const twin = await ask('bookings', { ...body, schedule_time: '10:00:00' }, 'POST', staff.token);
    expect([twin.status, twin.body.code]).toEqual([409, 'external_id_taken']);
    const own = bookingInput(practice, { schedule_time: '11:00:00' });
    for (const field of [{ external_id: 'B' }, { metadata: { a: 'b' } }])
      expect((await ask('bookings', { ...own, ...field }, 'POST', patient.token)).status).toBe(403);
    const edit = await ask(`bookings/${id}`, { external_id: 'B' }, 'PATCH', patient.token);
    expect(edit.status).toBe(403);
    const list = (query: string) => ask(`bookings?${query}`, undefined, 'GET', staff.token);
    const found = await list('external_id=A-1042');
    expect(found.body.data).toMatchObject([{ id, ...unit }]);
    expect((await list('external_id=A-1042&date=2026-11-24')).body.data).toEqual([]);
    expect((await list('external_id=B')).body).toMatchObject({ data: [], meta: { counts: { waiting: 0 } } });
    expect((await list('external_id=A-1042&q=budi')).status).toBe(400);
    expect(
      (await ask(`bookings/${id}`, undefined, 'GET', patient.token)).body.data.external_id,
    ).toBeUndefined();
    expect((await ask(`bookings/${id}`, undefined, 'GET', staff.token)).body.data).toMatchObject(unit);
    const [event] = await world.db.select().from(bookingEvents);
    expect(JSON.parse(event?.payload ?? '')).toMatchObject(unit);
    const changed = await ask(`bookings/${id}`, { metadata: { b: 'c' } }, 'PATCH', staff.token);
    expect(changed.body.data).toMatchObject({ external_id: 'A-1042', metadata: { b: 'c' } });
  });

  it('is left out of the events of what has none, and written to those of a patient', async () => {
    await act(
      world,
      clinic.staff,
      (await ask('bookings', bookingInput(clinic.practice), 'POST', clinic.patient.token)).body.data.id,
      'approve',
    );
    const { id } = (await ask('patients', newPatient)).body.data;
    await ask(`patients/${id}`, unit, 'PATCH');
    const payloads = (await world.db.select().from(bookingEvents)).map(({ payload }) => JSON.parse(payload));
    const last = payloads.pop();
    expect(last).toMatchObject({ patient_id: id, ...unit });
    for (const payload of payloads) expect(Object.keys(payload)).not.toContain('external_id');
  });

  it('follows a patient into another record, or leads to it', async () => {
    const merge = async (source: object, into: object) => {
      const records: string[] = [];
      for (const fields of [source, into])
        records.push((await ask('patients', { ...newPatient, ...fields, confirm: true })).body.data.id);
      const [from, to] = records;
      const { body } = await ask(`patients/${from}/merge`, { into: to });
      return { to, taken: body.data.taken, shown: (await ask(`patients/${to}`)).body.data };
    };
    const first = await merge({ external_id: 'A', metadata: { a: '1', b: '1' } }, { metadata: { a: '2' } });
    expect(first.taken).toContain('external_id');
    expect(first.shown).toMatchObject({ external_id: 'A', metadata: { a: '2', b: '1' } });
    // A name of digits comes first in an object, whatever was there before.
    const own = Object.fromEntries(Array.from({ length: 19 }, (_, at) => [`own${at}`, 'x']));
    const full = await merge({ metadata: { 1: '1', 2: '2' } }, { metadata: own });
    expect(full.shown.metadata).toEqual({ ...own, 1: '1' });
    const second = await merge({ external_id: 'B' }, { external_id: 'C' });
    expect(second.shown.external_id).toBe('C');
    const found = await ask('patients?external_id=B');
    expect(found.body.data).toMatchObject([{ id: second.to, external_id: 'C' }]);
  });

  it('also finds patients by the id under which they were imported, whatever the source', async () => {
    const ids: string[] = [];
    for (const source of ['sistem-lama', 'simrs', 'ekspor']) {
      const begun = await ask('admin/imports', { source, on_duplicate: 'skip' });
      const row = { row: 1, external_id: '17', name: `Pasien ${source}`, birth_date: '1950-01-05' };
      const step = await ask(`admin/imports/${begun.body.data.id}/rows`, { after_row: 0, rows: [row] });
      ids.push(step.body.data[0].patient_id);
    }
    const found = await ask('patients?external_id=17');
    expect(new Set(found.body.data.map(({ id }: { id: string }) => id))).toEqual(new Set(ids));
    expect((await ask('patients?external_id=17&q=siti')).status).toBe(400);
  });
});

describe('metadata', () => {
  it.each([
    ['a name with other characters', { 'nama lengkap': 'x' }],
    ['a name that is too long', { ['n'.repeat(41)]: 'x' }],
    ['a text that is too long', { a: 'x'.repeat(501) }],
    ['more than 20 names', Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`a${at}`, 'x']))],
    ['a number', { a: 1 }],
  ])('refuses %s', async (_, metadata) => {
    const { status, body } = await ask('admin/sessions', { name: 'Kontrol', metadata });
    expect([status, body.code]).toEqual([422, 'validation_failed']);
  });

  it('takes 20 names of 40 characters with 500 characters each, and is exported', async () => {
    const metadata = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [`${'n'.repeat(38)}${10 + at}`, 'é'.repeat(500)]),
    );
    const made = await ask('admin/sessions', { name: 'Kontrol', metadata, external_id: 'A' });
    expect(made.body.data.metadata).toEqual(metadata);
    const { token: key } = await addKey(world, ['export:read']);
    const rows = String((await ask('export/sessions', undefined, 'GET', key)).body).split('\n');
    expect(rows.map((row) => row && JSON.parse(row)).find((row) => row.external_id === 'A')).toMatchObject({
      metadata,
    });
    const table = await world.request('/v1/export/sessions?format=csv', { token: key });
    expect(String(table.body).split('\r\n')[0]).toMatch(/,external_id,metadata(,|$)/);
  });
});
