import { describe, expect, it } from 'vitest';
import { securityEvents } from '../../src/tables/accounts.ts';
import { patients } from '../../src/tables/patients.ts';
import { createAdmin } from '../support/admin.ts';
import { createDoctor, createPractice } from '../support/clinic.ts';
import { createPerson } from '../support/people.ts';
import { createWorld, password, registerPatient, type World } from '../support/world.ts';

const setUp = async () => {
  const world = await createWorld();
  const admin = await createAdmin(world);
  const doctorId = await createDoctor(world);
  const invite = (fields: object = {}) =>
    admin.post('/v1/admin/people', {
      name: 'Rina',
      email: 'rina@klinik.example',
      role: 'staff',
      password,
      ...fields,
    });
  const logIn = (email: string, typed = password) =>
    world.request('/v1/auth/login', { body: { email, password: typed } });
  return { world, admin, doctorId, invite, logIn };
};

/** The trail without its lines of reads. */
const changesIn = async ({ db }: World) =>
  (await db.select().from(securityEvents)).filter(({ route }) => route === null);

describe('an admin makes the accounts of the clinic', () => {
  it('with an empty phone number as the document has it by default, and never with a part of one', async () => {
    const { invite } = await setUp();
    const empty = { phone_number: '', phone_country_code: '' };
    expect((await invite(empty)).body.data).toMatchObject(empty);
    const refused = await invite({
      phone_number: '812',
      phone_country_code: '6262',
      email: 'lain@klinik.example',
    });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([
      422,
      ['phone_number', 'phone_country_code'],
    ]);
  });

  it('for staff, who log in with the password that was given', async () => {
    const { world, admin, invite, logIn } = await setUp();
    const invited = await invite({ phone_number: '0812345678', phone_country_code: '62' });
    expect(invited).toMatchObject({
      status: 201,
      body: { data: { name: 'Rina', role: 'staff', doctor_id: null, phone_number: '0812345678' } },
    });
    const { id } = invited.body.data;
    expect(invited.headers.get('Location')).toBe(`/v1/admin/people/${id}`);
    expect((await admin.get(`/v1/admin/people/${id}`)).body.data).toEqual(invited.body.data);
    const { body } = await logIn('rina@klinik.example');
    const profile = await world.request('/v1/auth/profile', { token: body.data.access_token });
    expect(profile.body.data.role).toBe('staff');
  });

  it('without a password, and then no password opens it', async () => {
    const { invite, logIn } = await setUp();
    expect((await invite({ password: undefined })).status).toBe(201);
    for (const typed of [password, '', 'janji-demo-2026', 'undefined'])
      expect((await logIn('rina@klinik.example', typed)).body.code).toMatch(
        /^(invalid_credentials|validation_failed)$/,
      );
  });

  it('for a doctor, linked to one that exists', async () => {
    const { invite, doctorId } = await setUp();
    expect((await invite({ role: 'doctor' })).body.errors).toEqual({ doctor_id: ['Wajib diisi.'] });
    const missing = await invite({ role: 'doctor', doctor_id: crypto.randomUUID() });
    expect(missing.body.errors).toEqual({ doctor_id: ['Tidak ditemukan.'] });
    const linked = await invite({ role: 'doctor', doctor_id: doctorId });
    expect(linked.body.data).toMatchObject({ role: 'doctor', doctor_id: doctorId });
  });

  it('and the audit trail tells who gave which role', async () => {
    const { world, admin, invite, doctorId } = await setUp();
    const { body, headers } = await invite({ role: 'doctor', doctor_id: doctorId });
    await invite({ role: 'admin' });
    const { id: user_id } = body.data;
    const trail = await admin.get(`/v1/admin/security-events?type=role_changed&user_id=${user_id}`);
    expect(trail.body.data).toEqual([
      expect.objectContaining({
        user_id,
        actor_id: admin.id,
        request_id: headers.get('X-Request-Id'),
        occurred_at: new Date(world.clock.now).toISOString(),
        detail: { from: null, to: 'doctor', doctor_id: doctorId },
      }),
    ]);
    expect((await admin.get('/v1/admin/security-events?type=role_changed')).body.data).toHaveLength(1);
  });

  it('but not twice for one e-mail, nor with a weak password, nor as a patient', async () => {
    const { invite } = await setUp();
    await invite();
    expect((await invite({ email: 'RINA@klinik.example' })).body.code).toBe('email_taken');
    expect(
      (await invite({ email: 'a@klinik.example', password: 'password' })).body.errors.password,
    ).toBeDefined();
    expect((await invite({ email: 'a@klinik.example', role: 'patient' })).body.errors.role).toBeDefined();
  });

  it('and nobody else does, or sees them', async () => {
    const { world, doctorId } = await setUp();
    for (const role of ['patient', 'doctor', 'staff'] as const) {
      const { token, id } = await createPerson(world, role, role === 'doctor' ? doctorId : null);
      const body = { role: 'admin', name: 'X', email: 'x@klinik.example' };
      const answers = await Promise.all([
        world.request('/v1/admin/people', { token }),
        world.request('/v1/admin/people', { token, body }),
        world.request(`/v1/admin/people/${id}`, { token }),
        world.request(`/v1/admin/people/${id}`, { token, method: 'PATCH', body }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    }
    expect((await world.request('/v1/admin/people')).status).toBe(401);
  });
});

describe("a change of somebody's role", () => {
  it('holds from the next request on, ends their logins and is recorded', async () => {
    const { world, admin } = await setUp();
    const staff = await createPerson(world, 'staff');
    expect((await world.request('/v1/patients', { token: staff.token })).status).toBe(200);
    const changed = await admin.patch(`/v1/admin/people/${staff.id}`, { role: 'patient' });
    expect(changed).toMatchObject({ status: 200, body: { data: { role: 'patient' } } });
    expect((await world.request('/v1/patients', { token: staff.token })).status).toBe(401);
    const events = await changesIn(world);
    expect(events).toMatchObject([{ type: 'role_changed', userId: staff.id, actorId: admin.id }]);
    expect(JSON.parse(events[0]?.detail ?? '')).toEqual({ from: 'staff', to: 'patient', doctor_id: null });
  });

  it('that changes nothing ends no login', async () => {
    const { world, admin } = await setUp();
    const staff = await createPerson(world, 'staff');
    expect((await admin.patch(`/v1/admin/people/${staff.id}`, { role: 'staff' })).status).toBe(200);
    expect((await world.request('/v1/patients', { token: staff.token })).status).toBe(200);
    expect(await changesIn(world)).toEqual([]);
  });

  it('moves a doctor account to another doctor, and away from any with another role', async () => {
    const { world, admin, doctorId } = await setUp();
    const other = await createDoctor(world);
    const { id } = await createPerson(world, 'doctor', doctorId);
    const path = `/v1/admin/people/${id}`;
    expect((await admin.patch(path, { doctor_id: other })).body.data.doctor_id).toBe(other);
    expect((await admin.patch(path, { role: 'staff' })).body.data.doctor_id).toBeNull();
    expect((await admin.patch(path, { role: 'doctor' })).body.errors).toEqual({
      doctor_id: ['Wajib diisi.'],
    });
    expect((await admin.patch(`/v1/admin/people/${crypto.randomUUID()}`, { role: 'staff' })).status).toBe(
      404,
    );
  });

  it('never takes the last admin away', async () => {
    const { world, admin } = await setUp();
    const alone = await admin.patch(`/v1/admin/people/${admin.id}`, { role: 'staff' });
    expect(alone).toMatchObject({ status: 409, body: { code: 'last_admin' } });
    expect((await admin.get('/v1/admin/people')).status).toBe(200);
    const second = await createPerson(world, 'admin');
    expect((await admin.patch(`/v1/admin/people/${second.id}`, { role: 'staff' })).status).toBe(200);
    expect((await admin.patch(`/v1/admin/people/${admin.id}`, { role: 'staff' })).status).toBe(409);
  });

  it('leaves one of ten admins who all demote each other at once', async () => {
    const { world, admin } = await setUp();
    const others = await Promise.all(Array.from({ length: 9 }, () => createPerson(world, 'admin')));
    const admins = [admin, ...others];
    await Promise.all(
      admins.map(({ token }, at) =>
        world.request(`/v1/admin/people/${admins[(at + 1) % admins.length]?.id}`, {
          token,
          method: 'PATCH',
          body: { role: 'staff' },
        }),
      ),
    );
    const answers = await Promise.all(
      admins.map(({ token }) => world.request('/v1/admin/people', { token })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });
});

describe('the list of people', () => {
  it('goes by role and name, page by page, or by one role', async () => {
    const { admin, invite, world } = await setUp();
    await createPerson(world);
    for (const name of ['Citra', 'Ani', 'Budi']) await invite({ name, email: `${name}@klinik.example` });
    const names = async (query: string) =>
      (await admin.get(`/v1/admin/people?${query}`)).body.data.map(({ name }: { name: string }) => name);
    expect(await names('role=staff')).toEqual(['Ani', 'Budi', 'Citra']);
    const first = await admin.get('/v1/admin/people?limit=4');
    expect(first.body.data.map(({ role }: { role: string }) => role)).toEqual([
      'admin',
      'patient',
      'staff',
      'staff',
    ]);
    expect(await names(`limit=4&cursor=${first.body.meta.next_cursor}`)).toEqual(['Citra']);
    expect(await names('q=bud')).toEqual(['Budi']);
    expect(await names('q=bud&role=admin')).toEqual([]);
    expect((await admin.get('/v1/admin/people?cursor=x')).status).toBe(400);
  });

  it('finds patients by their names between who works here, whatever a page ends with', async () => {
    const { admin, world } = await setUp();
    for (const role of ['doctor', 'staff', 'doctor', 'staff'] as const) await createPerson(world, role);
    for (const name of ['Dewi', 'Ani', 'Zul', 'Budi']) await registerPatient(world, { name });
    const whole = (await admin.get('/v1/admin/people')).body.data as {
      id: string;
      role: string;
      name: string;
    }[];
    const orderOf = ({ role, name, id }: (typeof whole)[number]) => `${role} ${name} ${id}`;
    expect(whole).toHaveLength(9);
    expect(whole.map(orderOf)).toEqual(whole.map(orderOf).toSorted());
    expect(whole.filter(({ role }) => role === 'patient').map(({ name }) => name)).toEqual([
      'Ani',
      'Budi',
      'Dewi',
      'Zul',
    ]);
    for (const query of ['limit=1', 'limit=2', 'limit=3', 'limit=1&role=patient', 'limit=1&role=staff']) {
      const met: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { body } = await admin.get(`/v1/admin/people?${query}${cursor}`);
        met.push(...body.data.map(({ id }: { id: string }) => id));
        cursor = body.meta.next_cursor === null ? null : `&cursor=${body.meta.next_cursor}`;
      }
      const role = /role=(\w+)/.exec(query)?.[1];
      const wanted = whole.filter((person) => role === undefined || person.role === role);
      expect(met, query).toEqual(wanted.map(({ id }) => id));
    }
  });
});

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

  it('by name, those with an account among those without, each once, whoever made the record', async () => {
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

  it('by staff and admins alone, who see no more than they need', async () => {
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
