import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { patientImportRows, patientImports, patientSources } from '../../../src/core/tables/imports.ts';
import { sweepExpired } from '../../../src/jobs/retention.ts';
import { createClinic } from '../../support/clinic-people.ts';
import { beforeRoundTrip } from '../../support/interleave.ts';
import { findViolations } from '../../support/invariants.ts';
import { addKey } from '../../support/keys.ts';
import { createWorld, registerPatient } from '../../support/world.ts';

const path = '/v1/admin/imports';

const siti = {
  row: 2,
  external_id: '17',
  name: 'Siti Aminah',
  phone_number: '0812-3456-7890',
  birth_date: '05/01/1950',
  sex: 'P',
  national_id: '3171 2345 6789 0001',
  address: 'Jl. Melati 1',
};
const darmo = { row: 3, external_id: '18', name: 'Darmo', birth_date: '5 Jan 1960', sex: 'Laki-laki' };

const setUp = async () => {
  const world = await createWorld();
  const clinic = await createClinic(world);
  const { token } = clinic.admin;
  const ask = (own: string, body: object, headers: Record<string, string> = {}) =>
    world.request(`${path}${own}`, { token, body, headers });
  const read = async (own: string) => (await world.request(own, { token })).body.data;
  const begin = async (settings: object = {}) => {
    const { body } = await ask('', { source: 'lama', date_order: 'day_first', ...settings });
    return body.data.id as string;
  };
  const step = (id: string, rows: readonly object[], more: object = {}) =>
    ask(`/${id}/rows`, { after_row: 0, rows, ...more });
  /** Imports rows in one step of an import of its own; gives what became of each. */
  const importAll = async (rows: readonly object[], settings: object = {}) => {
    const { status, body } = await step(await begin(settings), rows, { finish: true });
    expect(status).toBe(200);
    return body.data as { row: number; outcome: string; patient_id: string; problems: { rule: string }[] }[];
  };
  const outcomes = async (rows: readonly object[], settings: object = {}) =>
    (await importAll(rows, settings)).map(({ outcome }) => outcome);
  const find = async (q: string) => await read(`/v1/patients?q=${encodeURIComponent(q)}`);
  return { world, clinic, ask, read, begin, step, importAll, outcomes, find };
};

describe('an import of patients', () => {
  it('makes records of rows as people type them, found and numbered as those of the desk', async () => {
    const { importAll, read, find } = await setUp();
    const [first, second] = await importAll([siti, darmo]);
    expect(await read(`/v1/patients/${first?.patient_id}`)).toMatchObject({
      name: 'Siti Aminah',
      phone_number: '81234567890',
      phone_country_code: '62',
      birth_date: '1950-01-05',
      sex: 'female',
      national_id: '3171234567890001',
      numbers_confirmed: true,
      medical_record_number: 'RM-000001',
      has_account: false,
    });
    expect(await find('darm')).toMatchObject([
      { id: second?.patient_id, birth_date: '1960-01-05', medical_record_number: 'RM-000002' },
    ]);
    expect(await find('6281234567890')).toContainEqual(expect.objectContaining({ id: first?.patient_id }));
  });

  it('twice changes nothing, by the ids of the source', async () => {
    const { outcomes, find } = await setUp();
    for (const on_duplicate of ['skip', 'update', 'make']) {
      const again = await outcomes([siti, darmo], { on_duplicate });
      expect(again).toEqual(on_duplicate === 'skip' ? ['created', 'created'] : ['unchanged', 'unchanged']);
    }
    expect(await find('siti')).toHaveLength(1);
  });

  it('skips, updates or creates a row that looks like an existing patient, as was chosen before', async () => {
    const { importAll, outcomes, read, find } = await setUp();
    const [made] = await importAll([{ ...siti, external_id: undefined }]);
    const alike = { ...siti, national_id: undefined, external_id: undefined, address: 'Jl. Mawar 2' };
    expect(await importAll([alike])).toMatchObject([{ outcome: 'skipped', patient_id: made?.patient_id }]);
    expect(await outcomes([alike], { on_duplicate: 'update' })).toEqual(['updated']);
    expect(await read(`/v1/patients/${made?.patient_id}`)).toMatchObject({
      address: 'Jl. Mawar 2',
      national_id: '3171234567890001',
      version: 2,
    });
    expect(await outcomes([alike], { on_duplicate: 'update' })).toEqual(['unchanged']);
    expect(await outcomes([alike], { on_duplicate: 'make' })).toEqual(['created']);
    expect(await find('siti')).toHaveLength(2);
    // Of two it is not guessed which one is meant.
    const [refused] = await importAll([{ ...alike, address: 'Jl. Lain' }], { on_duplicate: 'update' });
    expect(refused).toMatchObject({ outcome: 'refused', problems: [{ rule: 'several_alike' }] });
  });

  it('finds doubles among the rows of one step too', async () => {
    const { outcomes, find } = await setUp();
    const twin = { ...siti, row: 5, external_id: '99', name: 'SITI AMINAH' };
    expect(await outcomes([siti, twin])).toEqual(['created', 'skipped']);
    expect(await find('siti')).toHaveLength(1);
  });

  it('refuses a row whose id belongs to somebody else, in the same file and later, and changes nobody', async () => {
    const { importAll, outcomes, read } = await setUp();
    const sharing = { ...darmo, external_id: siti.external_id };
    const [made, refused] = await importAll([siti, sharing], { on_duplicate: 'update' });
    expect(refused).toMatchObject({
      outcome: 'refused',
      problems: [{ field: 'external_id', rule: 'id_of_another' }],
    });
    for (const on_duplicate of ['skip', 'update', 'make'])
      expect(await outcomes([sharing], { on_duplicate })).toEqual(['refused']);
    expect(await read(`/v1/patients/${made?.patient_id}`)).toMatchObject({ name: 'Siti Aminah', version: 1 });
    // Somebody whose name has changed, or who has the same confirmed number, is the same person.
    const renamed = [
      { ...siti, national_id: undefined, name: 'Siti Aminah Darmo' },
      { ...siti, name: 'Siti', birth_date: '6 Jan 1950', phone_number: '0813 777 888' },
    ];
    for (const row of renamed) expect(await outcomes([row], { on_duplicate: 'update' })).toEqual(['updated']);
  });

  it('never gives a confirmed number to two people', async () => {
    const { importAll } = await setUp();
    const other = { row: 4, name: 'Orang Lain', birth_date: '1 Mei 1980', national_id: siti.national_id };
    const results = await importAll([siti, other], { on_duplicate: 'make' });
    expect(results[1]).toMatchObject({ outcome: 'refused', problems: [{ rule: 'number_taken' }] });
  });

  it('refuses a row in words of both languages, without what stood in it, and takes the others', async () => {
    const { world, clinic, begin, step, read } = await setUp();
    const id = await begin({ date_order: undefined });
    const rows = [
      { row: 2, name: 'Salah', birth_date: '05/01/1950', national_id: '12345' },
      { row: 3, name: '', phone_number: '0812 3456 7890' },
      { row: 4, name: 'Tanpa Apa-apa' },
      { row: 7, name: 'Benar', birth_date: '25/01/1950' },
      { row: 8, name: 'Besok', birth_date: '2099-01-01' },
    ];
    const { body } = await step(id, rows);
    expect(body.data).toMatchObject([
      {
        row: 2,
        outcome: 'refused',
        problems: [{ field: 'birth_date', rule: 'date_order' }, { rule: 'digits' }],
      },
      { row: 3, problems: [{ field: 'name', rule: 'required', message: 'Wajib diisi.' }] },
      { row: 4, problems: [{ field: 'phone_number', rule: 'any_of' }] },
      { row: 7, outcome: 'created', problems: [] },
      { row: 8, problems: [{ rule: 'birth_date' }] },
    ]);
    expect(JSON.stringify(body).replaceAll(/[\da-f-]{36}/g, '')).not.toMatch(/12345|05\/01/);
    const refused = await world.request(`${path}/${id}/results?outcome=refused&limit=1`, {
      token: clinic.admin.token,
      headers: { 'Accept-Language': 'en', Accept: 'text/csv' },
    });
    expect(refused.headers.get('content-type')).toContain('text/csv');
    expect(await read(`${path}/${id}`)).toMatchObject({
      created: 1,
      refused: 4,
      last_row: 8,
      status: 'open',
    });
    expect(await read(`${path}/${id}/results?outcome=refused`)).toHaveLength(4);
  });

  it('gives its results as a table, a line a row', async () => {
    const { world, clinic, begin, step } = await setUp();
    const id = await begin();
    await step(id, [siti, { row: 3, name: 'X', sex: 'Q' }]);
    const response = await world.app.request(`${path}/${id}/results`, {
      headers: { Authorization: `Bearer ${clinic.admin.token}`, Accept: 'text/csv', 'Accept-Language': 'en' },
    });
    const lines = (await response.text()).trimEnd().split('\r\n');
    expect(lines[0]).toBe('row,outcome,patient_id,problems');
    expect(lines[2]).toBe('3,"refused",,"sex: Write M or F, male or female, L or P."');
  });

  it('leads from a table of more rows than one takes to the next, which can be asked for', async () => {
    const { world, clinic, begin } = await setUp();
    const id = await begin();
    await world.db.insert(patientImportRows).select(
      sql`with recursive n(row) as (select 1 union all select row + 1 from n where row < 10001)
        select ${id}, row, 'skipped', null, null, 1 from n`,
    );
    const headers = { Authorization: `Bearer ${clinic.admin.token}`, Accept: 'text/csv' };
    const first = await world.app.request(`${path}/${id}/results?outcome=skipped`, { headers });
    const [, link = ''] = /^<(.+)>; rel="next"$/.exec(first.headers.get('Link') ?? '') ?? [];
    const next = await world.app.request(link, { headers });
    expect([next.status, await next.text()]).toEqual([
      200,
      'row,outcome,patient_id,problems\r\n10001,"skipped",,""\r\n',
    ]);
    expect(next.headers.get('Link')).toBe(null);
  });

  it('says in a dry run what would be done, and does nothing of it', async () => {
    const { importAll, read, find } = await setUp();
    expect(await importAll([siti, darmo], { dry_run: true })).toMatchObject([
      { outcome: 'created', patient_id: null },
      { outcome: 'created', patient_id: null },
    ]);
    expect(await find('siti')).toEqual([]);
    expect(await read('/v1/admin/security-events')).not.toContainEqual(
      expect.objectContaining({ type: 'patient_created' }),
    );
  });

  it('goes on after the last row that was taken, and takes none twice', async () => {
    const { ask, begin, step, read } = await setUp();
    const settings = { source: 'lama', date_order: 'day_first', file_key: 'abc' };
    const id = await begin(settings);
    expect((await step(id, [siti])).status).toBe(200);
    // The answer was lost.
    expect(await step(id, [siti])).toMatchObject({
      status: 409,
      body: { code: 'import_moved_on', last_row: 2, finished: false },
    });
    const known = await ask('', settings);
    expect(known).toMatchObject({ status: 200, body: { data: { id, last_row: 2, status: 'open' } } });
    expect((await step(id, [darmo], { after_row: 2, finish: true })).status).toBe(200);
    expect(await ask('', settings)).toMatchObject({
      status: 200,
      body: { data: { id, status: 'finished' } },
    });
    expect((await step(id, [], { after_row: 3 })).body).toMatchObject({
      code: 'import_moved_on',
      finished: true,
    });
    expect(await read(path)).toMatchObject([{ id, created: 2 }]);
    expect((await ask('', { ...settings, on_duplicate: 'make' })).status).toBe(201);
  });

  it('takes one of two steps that are sent at once', async () => {
    const { begin, step, find } = await setUp();
    const id = await begin({ on_duplicate: 'make' });
    const rows = [{ ...siti, external_id: undefined, national_id: undefined }];
    const answers = await Promise.all(Array.from({ length: 5 }, () => step(id, rows)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    expect(await find('siti')).toHaveLength(1);
  });

  it('decides again where the desk changes a record, or adds the same person, between its reading and its writing', async () => {
    const { world, clinic, importAll, begin, step, read, find } = await setUp();
    const { token } = clinic.staff;
    const [made] = await importAll([siti]);
    const id = await begin({ on_duplicate: 'update' });
    // The token, the import, whom the rows may be, their records; then the write.
    const path = `/v1/patients/${made?.patient_id}`;
    beforeRoundTrip(world, 5, () =>
      world.request(path, { method: 'PATCH', token, body: { email: 'siti@contoh.example' } }),
    );
    expect((await step(id, [{ ...siti, address: 'Jl. Mawar 2' }])).status).toBe(200);
    expect(await read(path)).toMatchObject({
      address: 'Jl. Mawar 2',
      email: 'siti@contoh.example',
      version: 3,
    });
    const person = { name: 'Darmo', birth_date: '1960-01-05', national_id: '3171234567890002' };
    const other = await begin();
    beforeRoundTrip(world, 6, () => world.request('/v1/patients', { token, body: person }));
    const { body } = await step(other, [{ ...darmo, national_id: person.national_id }]);
    expect(body.data).toMatchObject([{ outcome: 'skipped' }]);
    expect(await find('darmo')).toHaveLength(1);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('answers a repeat under its Idempotency-Key as before', async () => {
    const { ask, begin } = await setUp();
    const id = await begin();
    const headers = { 'Idempotency-Key': 'langkah-1' };
    const first = await ask(`/${id}/rows`, { after_row: 0, rows: [siti] }, headers);
    const again = await ask(`/${id}/rows`, { after_row: 0, rows: [siti] }, headers);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const begun = { 'Idempotency-Key': 'awal' };
    expect((await ask('', {}, begun)).body).toEqual((await ask('', {}, begun)).body);
  });

  it('refuses rows that are not in order, as a whole', async () => {
    const { begin, step, read } = await setUp();
    const id = await begin();
    const { status, body } = await step(id, [darmo, siti]);
    expect(status).toBe(422);
    expect(body.errors).toHaveProperty(['rows.1.row']);
    expect(await read(`${path}/${id}`)).toMatchObject({ last_row: 0 });
  });

  it('keeps record numbers by hand unique, and passes over them', async () => {
    const { importAll, read } = await setUp();
    const numbered = [
      { ...darmo, row: 1, external_id: '1', medical_record_number: 'RM-000001' },
      { row: 2, name: 'Bu Ani', phone_number: '0813000111', medical_record_number: 'RM-000001' },
      { row: 3, name: 'Bu Ina', phone_number: '0813000112' },
    ];
    const [, taken, next] = await importAll(numbered);
    expect(taken).toMatchObject({ outcome: 'refused', problems: [{ rule: 'taken' }] });
    expect(await read(`/v1/patients/${next?.patient_id}`)).toMatchObject({
      medical_record_number: 'RM-000002',
    });
  });

  it('changes name and phone of an account with its record, and no colleague', async () => {
    const { world, clinic, outcomes, read } = await setUp();
    const person = await registerPatient(world);
    const change = { row: 2, external_id: 'a', name: 'Pasien Akun', birth_date: '2000-02-01' };
    const token = clinic.staff.token;
    await world.request(`/v1/patients/${person.id}`, {
      method: 'PATCH',
      token,
      body: { name: 'Pasien Akun', birth_date: '2000-02-01' },
    });
    const update = { on_duplicate: 'update' };
    expect(await outcomes([{ ...change, phone_number: '0813 777 888' }], update)).toEqual(['updated']);
    const profile = await world.request('/v1/auth/profile', { token: person.token });
    expect(profile.body.data.user).toMatchObject({ name: 'Pasien Akun', phone_number: '813777888' });
    await world.request('/v1/auth/profile', {
      method: 'PATCH',
      token,
      body: { name: 'Rekan', phone_number: '813999000', phone_country_code: '62' },
    });
    const colleague = { row: 2, name: 'Rekan', phone_number: '0813 999 000', address: 'Baru' };
    expect(await outcomes([colleague], update)).toEqual(['skipped']);
    expect(await read('/v1/admin/people?q=rekan')).toHaveLength(1);
  });

  it('leaves a line of the step and of each record in the trail, and an event for receivers', async () => {
    const { importAll, read } = await setUp();
    const [made] = await importAll([siti]);
    const lines = (await read('/v1/admin/security-events')) as {
      type: string;
      detail: unknown;
      patient_id: string;
    }[];
    const types = lines.map(({ type }) => type);
    expect(types).toEqual(
      expect.arrayContaining(['patient_import_started', 'patients_imported', 'patient_created']),
    );
    expect(JSON.stringify(lines.map(({ detail }) => detail))).not.toContain('Siti');
    expect(lines.find(({ type }) => type === 'patient_created')).toMatchObject({
      detail: { patient_id: made?.patient_id },
    });
  });

  it('keeps the id of the source with its patient through a merge, in the export, and not after a deletion', async () => {
    const { world, clinic, importAll, outcomes } = await setUp();
    const [first, second] = await importAll([siti, darmo]);
    const { token } = clinic.admin;
    const post = (own: string, body: object) => world.request(`/v1/patients/${own}`, { token, body });
    expect((await post(`${first?.patient_id}/merge`, { into: second?.patient_id })).status).toBe(200);
    // The desk has said that both are one person, though nothing of the row fits the record that stays.
    for (const row of [siti, { ...siti, national_id: undefined, phone_number: '0813 777 888' }])
      expect(await importAll([row])).toMatchObject([
        { outcome: 'unchanged', patient_id: second?.patient_id },
      ]);
    const { body } = await post(`${second?.patient_id}/export`, {});
    expect(body.data.external_ids).toMatchObject([
      { patient_id: second?.patient_id, source: 'lama', external_id: '17' },
      { external_id: '18' },
    ]);
    const deleted = await world.request(`/v1/patients/${second?.patient_id}`, { method: 'DELETE', token });
    expect(deleted.status).toBe(200);
    expect(await world.db.select().from(patientSources)).toEqual([]);
    const left = await world.db.select().from(patientImportRows);
    expect(left.map(({ patientId }) => patientId)).not.toContain(second?.patient_id);
    expect(await outcomes([siti])).toEqual(['created']);
  });

  it('goes 30 days after its last step, the rows first, and the ids of the source stay', async () => {
    const { world, importAll } = await setUp();
    await importAll([siti]);
    world.clock.now += 31 * 86_400_000;
    await sweepExpired(world.deps, world.clock.now);
    expect(await world.db.select().from(patientImportRows)).toEqual([]);
    await sweepExpired(world.deps, world.clock.now);
    expect(await world.db.select().from(patientImports)).toEqual([]);
    expect(await world.db.select().from(patientSources)).toHaveLength(1);
  });

  it('is open to the clinic’s admins, and to keys that may write patients', async () => {
    const { world, clinic } = await setUp();
    const asStaff = await world.request(path, { token: clinic.staff.token, body: {} });
    expect(asStaff.status).toBe(403);
    const { token } = await addKey(world, ['patients:write']);
    const begun = await world.request(path, { token, body: { date_order: 'day_first' } });
    const body = { after_row: 0, rows: [siti], finish: true };
    const taken = await world.request(`${path}/${begun.body.data.id}/rows`, { token, body });
    expect(taken.body).toMatchObject({ data: [{ outcome: 'created' }], meta: { progress: { created: 1 } } });
  });
});
