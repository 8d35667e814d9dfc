import { describe, expect, it } from 'vitest';
import { patients } from '../../src/core/tables/patients.ts';
import { createPractice } from '../support/clinic.ts';
import { createPerson } from '../support/people.ts';
import { setUp } from '../support/people-admin.ts';
import { password } from '../support/world.ts';

describe('patients are found', () => {
  const setUpPatients = async () => {
    const { world, admin } = await setUp();
    const staff = await createPerson(world, 'staff');
    const register = async (name: string, phone: string, email: string) => {
      const fields = { name, phone_number: phone, phone_country_code: '62', email };
      const body = { ...fields, password, password_confirmation: password, device_id: '' };
      expect((await world.request('/v1/auth/register', { body })).status).toBe(201);
    };
    await register('Sari Sartika Dewi', '081234567890', 'sari.dewi@surel.example');
    await register('Dewi Lestari', '81300000000', 'lestari@surel.example');
    await register('Łukasz Nowak-Dewi', '5551234', 'nowak@surel.example');
    const page = async (query: string) => {
      const { body } = await world.request(`/v1/patients?${query}`, { token: staff.token });
      return { names: body.data.map(({ name }: { name: string }) => name), cursor: body.meta.next_cursor };
    };
    const found = async (q: string) => (await page(`q=${encodeURIComponent(q)}`)).names;
    return { world, admin, staff, page, found };
  };
  it('by any word of the name, by e-mail, and by phone with or without 0 and country code', async () => {
    const { found } = await setUpPatients();
    const sari = ['Sari Sartika Dewi'];
    expect(await found('SAR')).toEqual(sari);
    expect(await found('dewi sari')).toEqual(sari);
    expect(await found('Dewi')).toHaveLength(3);
    expect(await found('sari.dewi@surel')).toEqual(sari);
    for (const q of ['0812345', '812 3456-7890', '+62 812', '62812', '(0812)'])
      expect(await found(q)).toEqual(sari);
    expect(await found('artika')).toEqual([]);
    expect(await found('dewi lestari')).toEqual(['Dewi Lestari']);
    expect(await found("' or 1=1 --")).toEqual([]);
  });

  it('page by page, each once, without people of the clinic', async () => {
    const { page } = await setUpPatients();
    const first = await page('q=dewi&limit=2');
    const second = await page(`q=dewi&limit=2&cursor=${first.cursor}`);
    expect(second.cursor).toBeNull();
    expect([...first.names, ...second.names].sort()).toEqual([
      'Dewi Lestari',
      'Sari Sartika Dewi',
      'Łukasz Nowak-Dewi',
    ]);
    expect((await page('')).names).toEqual(['Dewi Lestari', 'Sari Sartika Dewi', 'Łukasz Nowak-Dewi']);
    expect((await page('q=orang')).names).toEqual([]);
  });

  it('by name, those with an account among those without, each once, whichever account made the record', async () => {
    const { world, staff } = await setUpPatients();
    const { token } = staff;
    for (const name of ['Budi', 'Tono', 'Eka']) {
      const body = { name, birth_date: '1990-01-01' };
      expect((await world.request('/v1/patients', { token, body })).status).toBe(201);
    }
    const wanted = ['Budi', 'Dewi Lestari', 'Eka', 'Sari Sartika Dewi', 'Tono', 'Łukasz Nowak-Dewi'];
    const met = async (limit: number) => {
      const names: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { body } = await world.request(`/v1/patients?limit=${limit}${cursor}`, { token });
        names.push(...body.data.map(({ name }: { name: string }) => name));
        cursor = body.meta.next_cursor === null ? null : `&cursor=${body.meta.next_cursor}`;
      }
      return names;
    };
    for (const limit of [1, 2, 100]) expect(await met(limit)).toEqual(wanted);
    await world.db.update(patients).set({ createdBy: null });
    for (const limit of [1, 2, 100]) expect(await met(limit)).toEqual(wanted);
  });

  it('only by staff and admins, who see no more than they need', async () => {
    const { world, admin, staff } = await setUpPatients();
    const { doctorId } = await createPractice(world);
    const [patient, doctor] = [await createPerson(world), await createPerson(world, 'doctor', doctorId)];
    const ask = async (token?: string) => (await world.request('/v1/patients?q=sari', { token })).status;
    expect([await ask(patient.token), await ask(doctor.token), await ask()]).toEqual([403, 403, 401]);
    expect([await ask(staff.token), await ask(admin.token)]).toEqual([200, 200]);
    const { body, headers } = await world.request('/v1/patients?q=sari', { token: staff.token });
    expect(body.data[0]).not.toHaveProperty('role');
    expect(body.data[0]).not.toHaveProperty('staff_notes');
    expect(headers.get('Cache-Control')).toBe('no-store');
  });
});
