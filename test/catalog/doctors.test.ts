import { describe, expect, it } from 'vitest';
import { createAdmin } from '../support/admin.ts';
import { versions } from '../support/calendar-versions.ts';
import { createPractice } from '../support/clinic.ts';
import { createWorld } from '../support/world.ts';

describe('doctors', () => {
  it('are added, changed, retired and brought back, and their calendar is raised each time', async () => {
    const world = await createWorld();
    const admin = await createAdmin(world);
    const added = await admin.post('/v1/admin/doctors', { name: ' Zoë Äpfel ', title: 'dr.' });
    expect(added).toMatchObject({
      status: 201,
      body: {
        message: 'Data berhasil ditambahkan.',
        data: { name: 'Zoë Äpfel', title: 'dr.', specialty: '', active: true, version: 1 },
      },
    });
    const { id } = added.body.data;
    const path = `/v1/admin/doctors/${id}`;
    expect(added.headers.get('Location')).toBe(path);
    expect((await world.request(`/v1/doctors/${id}`)).status).toBe(200);
    const renamed = await admin.patch(path, { name: 'Zoë Birne' });
    expect(renamed.body.data).toMatchObject({ name: 'Zoë Birne', title: 'dr.', version: 2 });
    expect(await versions(world, id)).toEqual([2, 1]);
    expect((await admin.remove(path)).body.data).toMatchObject({ active: false, version: 3 });
    expect((await world.request(`/v1/doctors/${id}`)).status).toBe(404);
    expect((await admin.get(path)).body.data.active).toBe(false);
    expect((await admin.patch(path, { active: true })).body.data.active).toBe(true);
    expect((await world.request(`/v1/doctors/${id}`)).status).toBe(200);
    expect(await versions(world, id)).toEqual([4, 1]);
  });

  it('refuses a change of another version than the present', async () => {
    const world = await createWorld();
    const admin = await createAdmin(world);
    const { body } = await admin.post('/v1/admin/doctors', { name: 'Sari' });
    const path = `/v1/admin/doctors/${body.data.id}`;
    await admin.patch(path, { name: 'Sari W' });
    expect(await admin.patch(path, { name: 'Sari X', version: 1 })).toMatchObject({
      status: 409,
      body: { code: 'version_mismatch', version: 2 },
    });
    expect((await world.request('/v1/doctors?q=sari%20x')).body.data).toEqual([]);
    expect((await world.request('/v1/doctors?q=sari%20w')).body.data).toHaveLength(1);
  });

  it('keeps every change of those made at once', async () => {
    const world = await createWorld();
    const admin = await createAdmin(world);
    const { body } = await admin.post('/v1/admin/doctors', { name: 'Sari' });
    const path = `/v1/admin/doctors/${body.data.id}`;
    const fields = [{ name: 'Sari W' }, { title: 'dr.' }, { specialty: 'Anak' }];
    const answers = await Promise.all(fields.map((change) => admin.patch(path, change)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await admin.get(path)).body.data).toMatchObject({
      name: 'Sari W',
      title: 'dr.',
      specialty: 'Anak',
      version: 4,
    });
  });

  it('are listed page by page, retired ones too', async () => {
    const world = await createWorld();
    const admin = await createAdmin(world);
    for (const name of ['Citra', 'Ani', 'Budi']) await admin.post('/v1/admin/doctors', { name });
    const first = await admin.get('/v1/admin/doctors?limit=2');
    expect(first.body.data.map(({ name }: { name: string }) => name)).toEqual(['Ani', 'Budi']);
    await admin.remove(`/v1/admin/doctors/${first.body.data[1].id}`);
    const next = await admin.get(`/v1/admin/doctors?limit=2&cursor=${first.body.meta.next_cursor}`);
    expect(next.body.data.map(({ name }: { name: string }) => name)).toEqual(['Citra']);
    expect(next.body.meta.next_cursor).toBeNull();
    expect((await admin.get('/v1/admin/doctors')).body.data).toHaveLength(3);
  });
});

describe('doctors are found by the beginnings of their words', () => {
  it('in any order, without regard to case and accents, and only in service', async () => {
    const world = await createWorld();
    const admin = await createAdmin(world);
    const names = ['Zoë Äpfel', 'Sari Wulandari', 'Sariman Hadi', "Ni Made D'Souza-Putri"];
    for (const name of names) await admin.post('/v1/admin/doctors', { name });
    const found = async (q: string) =>
      (await world.request(`/v1/doctors?q=${encodeURIComponent(q)}`)).body.data.map(
        ({ name }: { name: string }) => name,
      );
    expect(await found('SARI')).toEqual(['Sari Wulandari', 'Sariman Hadi']);
    expect(await found('wul sar')).toEqual(['Sari Wulandari']);
    expect(await found('äpf')).toEqual(['Zoë Äpfel']);
    expect(await found('zoe apfel')).toEqual(['Zoë Äpfel']);
    expect(await found('souza')).toEqual(["Ni Made D'Souza-Putri"]);
    expect(await found('andari')).toEqual([]);
    expect((await world.request('/v1/doctors?q=%25')).status).toBe(400);
    const { body } = await admin.get('/v1/admin/doctors');
    for (const { id } of body.data) await admin.remove(`/v1/admin/doctors/${id}`);
    expect(await found('sari')).toEqual([]);
  });

  it('and by title and specialty, as they are now', async () => {
    const world = await createWorld();
    const admin = await createAdmin(world);
    const sari = { name: 'Sari Wulandari', title: 'drg.', specialty: 'Dokter Gigi' };
    const { body } = await admin.post('/v1/admin/doctors', sari);
    const found = async (q: string) =>
      (await world.request(`/v1/doctors?q=${encodeURIComponent(q)}`)).body.data.length;
    for (const q of ['drg. Sari Wulandari', 'gigi', 'dokter sari'])
      expect([q, await found(q)]).toEqual([q, 1]);
    const path = `/v1/admin/doctors/${body.data.id}`;
    await admin.patch(path, { title: 'dr.', specialty: 'Spesialis Anak' });
    expect([await found('drg'), await found('gigi'), await found('dr. sari'), await found('anak')]).toEqual([
      0, 0, 1, 1,
    ]);
  });

  it('and by the session that they offer', async () => {
    const world = await createWorld();
    const practice = await createPractice(world);
    await createPractice(world);
    const { body } = await world.request(`/v1/doctors?q=sari&session_id=${practice.sessionId}`);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([practice.doctorId]);
    const all = await world.request(`/v1/doctors?session_id=${practice.sessionId}`);
    expect(all.body.data).toHaveLength(1);
  });
});
