import { describe, expect, it } from 'vitest';
import { securityEvents } from '../../src/core/tables/accounts.ts';
import { createDoctor } from '../support/clinic.ts';
import { createPerson } from '../support/people.ts';
import { setUp } from '../support/people-admin.ts';
import { password, registerPatient, type World } from '../support/world.ts';

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

  it('and the audit trail records who gave which role', async () => {
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
