import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { users } from '../../src/core/tables/accounts.ts';
import { bookings } from '../../src/core/tables/bookings.ts';
import { apiKeys } from '../../src/core/tables/keys.ts';
import { patients } from '../../src/core/tables/patients.ts';
import { exportKinds, pageRows } from '../../src/modules/exports/sources.ts';
import { streamExport, writeExport } from '../../src/modules/exports/write.ts';
import { book, createClinic } from '../support/clinic-people.ts';
import { addKey } from '../support/keys.ts';
import { linesOf } from '../support/trail.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
let clinic: Awaited<ReturnType<typeof createClinic>>;

beforeEach(async () => {
  world = await createWorld();
  clinic = await createClinic(world, { capacity: 3 });
});

const ask = (path: string, headers: Record<string, string> = {}, token = clinic.admin.token) =>
  world.request(`/v1/export/${path}`, { token, headers });

// biome-ignore lint/suspicious/noExplicitAny: rows of any kind.
const rowsIn = (text: string): any[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

const addPatients = async (count: number, updatedAt: number): Promise<void> => {
  const phone = { phoneNumber: '', phoneCountryCode: '' };
  const rows = Array.from({ length: count }, (_, nth) => ({
    id: world.deps.newId(),
    name: `Pasien ${nth}`,
    ...phone,
    staffNotes: '',
    createdAt: updatedAt,
    updatedAt,
  }));
  for (let at = 0; at < rows.length; at += 5) {
    const some = rows.slice(at, at + 5);
    await world.db.insert(patients).values(some);
  }
};

describe('an export', () => {
  it.each(exportKinds)('gives all %s, a line each with the columns of the table', async (kind) => {
    await book(world, clinic);
    await world.request('/v1/admin/closures', {
      token: clinic.admin.token,
      body: { name: 'Libur', start_date: '2026-12-25', end_date: '2026-12-25' },
    });
    const { status, headers, body } = await ask(kind);
    expect([status, headers.get('Content-Type')]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
    expect(headers.get('Content-Disposition')).toBe(`attachment; filename="${kind}.ndjson"`);
    expect(headers.get('Cache-Control')).toBe('no-store');
    const rows = rowsIn(body);
    expect(rows.length).toBeGreaterThan(0);
    const table = await ask(kind, { Accept: 'text/csv' });
    expect(table.headers.get('Content-Type')).toBe('text/csv; charset=utf-8; header=present');
    const [head = ''] = (table.body as string).split('\r\n');
    expect(head.split(',').toSorted()).toEqual(Object.keys(rows[0]).toSorted());
    expect((table.body as string).split('\r\n')).toHaveLength(rows.length + 2);
  });

  it('opens the sealed numbers of a patient, and leaves colleagues, merged and deleted records out', async () => {
    const token = clinic.staff.token;
    const named = { name: 'Rina', national_id: '3171234567890123', birth_date: '1980-01-02' };
    const { id } = (await world.request('/v1/patients', { token, body: named })).body.data;
    const other = { name: 'Rina Dua', birth_date: '1981-01-02' };
    const merged = (await world.request('/v1/patients', { token, body: other })).body.data.id;
    await world.db.update(patients).set({ mergedInto: id }).where(eq(patients.id, merged));
    const rows = rowsIn((await ask('patients')).body);
    expect(rows.find((row) => row.id === id)).toMatchObject({
      national_id: '3171234567890123',
      numbers_confirmed: true,
      has_account: false,
    });
    const ids = rows.map((row) => row.id);
    expect(ids).toContain(clinic.patient.id);
    for (const hidden of [merged, clinic.staff.id, clinic.admin.id]) expect(ids).not.toContain(hidden);
  });

  it('gives every row once beyond the size of a page, though all were changed at one instant', async () => {
    await addPatients(pageRows + 7, world.clock.now + 1);
    const ids = rowsIn((await ask('patients')).body).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThanOrEqual(pageRows + 7);
  });

  it('reads a page when the client takes it, and no more once the client has gone', async () => {
    await addPatients(2 * pageRows + 1, world.clock.now);
    let read = 0;
    const counting: typeof world.db = new Proxy(world.db, {
      get: (target, name) => {
        if (name === 'batch') read += 1;
        return Reflect.get(target, name);
      },
    });
    const wanted = { kind: 'patients', format: 'ndjson', since: 0 } as const;
    const { id: userId, deviceLoginId } = clinic.admin;
    const actor = { userId, deviceLoginId, role: 'admin', doctorId: null } as const;
    const stream = await streamExport({ deps: { ...world.deps, db: counting }, actor }, wanted);
    expect(read).toBe(1);
    const reader = stream.getReader();
    await reader.read();
    await reader.cancel();
    // The second page, and whether the caller still has access.
    expect(read).toBeLessThanOrEqual(3);
  });

  it.each(['key', 'admin'] as const)('is broken off where the %s loses access on the way', async (who) => {
    await addPatients(2 * pageRows + 1, world.clock.now);
    const key = await addKey(world, ['export:read']);
    const { token } = who === 'key' ? key : clinic.admin;
    const { body } = await world.app.request('http://localhost/v1/export/patients', {
      headers: { Authorization: `Bearer ${token}` },
    });
    const reader = body?.getReader();
    await reader?.read();
    if (who === 'key') await world.db.update(apiKeys).set({ revokedAt: world.clock.now });
    else await world.db.update(users).set({ role: 'staff' }).where(eq(users.id, clinic.admin.id));
    const rest = (async () => {
      for (let at = 0; at < 3; at++) await reader?.read();
    })();
    await expect(rest).rejects.toThrow();
  });

  it('gives what was changed since an instant, that instant included', async () => {
    const first = await book(world, clinic);
    world.clock.now += 60_000;
    const since = new Date(world.clock.now).toISOString();
    const second = await book(world, clinic, { schedule_time: '14:00:00' });
    const idsSince = async (instant: string) =>
      rowsIn((await ask(`bookings?updated_since=${encodeURIComponent(instant)}`)).body).map(({ id }) => id);
    expect(await idsSince(since)).toEqual([second]);
    await world.request(`/v1/bookings/${first}/cancel`, { token: clinic.patient.token, body: {} });
    expect((await idsSince(since)).sort()).toEqual([first, second].sort());
    expect((await idsSince('2026-11-23')).length).toBe(2);
    expect(await idsSince('2026-11-24')).toEqual([]);
    expect(await idsSince(new Date(world.clock.now + 1).toISOString())).toEqual([]);
    for (const path of ['bookings?updated_since=kemarin', 'bookings?format=xml', 'doctors?page=2'])
      expect([path, (await ask(path)).status]).toEqual([path, 400]);
  });

  it('shows a renamed doctor in the bookings that were changed since', async () => {
    const id = await book(world, clinic);
    world.clock.now += 60_000;
    const since = encodeURIComponent(new Date(world.clock.now).toISOString());
    await world.request(`/v1/admin/doctors/${clinic.practice.doctorId}`, {
      method: 'PATCH',
      token: clinic.admin.token,
      body: { name: 'Nama Baru' },
    });
    const [row] = rowsIn((await ask(`bookings?updated_since=${since}`)).body);
    expect(row).toMatchObject({ id, doctor_name: expect.stringContaining('Nama Baru') });
  });

  it('is a table for spreadsheets with a decimal comma, in which no text is a formula and no digits are cut', async () => {
    const body = { name: '=1+1; "x"', phone_number: '081234567890', national_id: '3171234567890123' };
    await world.request('/v1/patients', { token: clinic.staff.token, body });
    const table = (await ask('patients?format=excel')).body as string;
    const [piece] = [await writeExport(world.deps, { kind: 'patients', format: 'excel', since: 0 }).next()];
    expect(piece.value).toMatch(/^\ufeffid;name;/);
    const line = table.split('\r\n').find((text) => text.includes('1+1')) ?? '';
    expect(line).toContain(`;"'=1+1; ""x""";`);
    expect(line).toContain('"\t3171234567890123"');
    expect(((await ask('patients?format=csv')).body as string).includes('"3171234567890123"')).toBe(true);
  });
});

describe('who may take data out', () => {
  it('are admins who have just logged in, and keys with the scope of it', async () => {
    expect((await ask('patients', {}, clinic.staff.token)).status).toBe(403);
    const reader = await addKey(world, ['patients:read', 'bookings:read']);
    expect((await ask('patients', {}, reader.token)).body.code).toBe('insufficient_scope');
    const key = await addKey(world, ['export:read']);
    world.clock.now += 11 * 60_000;
    expect((await ask('patients')).body.code).toBe('reauthentication_required');
    expect((await ask('patients', {}, key.token)).status).toBe(200);
  });

  it('leave a line each time, with the filter', async () => {
    const before = (await linesOf(world)).length;
    const filter = 'updated_since=2026-11-01T00:00:00Z&format=excel';
    await ask(`bookings?${filter}`);
    await ask(`bookings?${filter}`);
    const lines = (await linesOf(world)).slice(before).filter(({ type }) => type === 'data_exported');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatchObject({ actorId: clinic.admin.id, route: 'GET /v1/export/bookings' });
    expect(JSON.parse(lines[0]?.detail ?? '')).toEqual({
      updated_since: '2026-11-01T00:00:00Z',
      format: 'excel',
    });
  });
});

it('does not show a seat that is only held for an offer', async () => {
  const id = await book(world, clinic);
  await world.db
    .update(bookings)
    .set({ heldUntil: world.clock.now + 1 })
    .where(eq(bookings.id, id));
  expect(rowsIn((await ask('bookings')).body)).toEqual([]);
});
