import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { runAll } from '../../../src/core/db/db.ts';
import { securityEvents } from '../../../src/core/tables/accounts.ts';
import { patients } from '../../../src/core/tables/patients.ts';
import { recordSecurityEvent } from '../../../src/modules/auth/audit/queries.ts';
import { type Clinic, createClinic } from '../../support/clinic-people.ts';
import { blocksOf, seal, writeBlocks } from '../../support/trail.ts';
import { createWorld, type World } from '../../support/world.ts';

const path = '/v1/admin/security-events';
const verify = '/v1/admin/audit/verify';

let world: World;
let clinic: Clinic;

beforeAll(async () => {
  world = await createWorld();
  clinic = await createClinic(world);
  const read = (who: { token: string }, of: { id: string }) =>
    world.request(`/v1/patients/${of.id}`, { token: who.token });
  await read(clinic.staff, clinic.patient);
  world.clock.now += 86_400_000;
  await read(clinic.staff, clinic.stranger);
  await read(clinic.admin, clinic.patient);
  await world.request('/v1/bookings?date=2026-11-23', { token: clinic.staff.token });
  const body = { name: 'Nama Baru' };
  await world.request(`/v1/patients/${clinic.patient.id}`, {
    method: 'PATCH',
    token: clinic.staff.token,
    body,
  });
  await seal(world);
});

const ask = async (query: Record<string, string>, headers = {}) =>
  world.request(`${path}?${new URLSearchParams(query)}`, { token: clinic.admin.token, headers });

interface Shown {
  id: string;
  type: string;
  actor_id: string;
  route: string;
  detail: object | null;
}

/** The list without its own line: the trail records reads of itself, too. */
const shown = async (query: Record<string, string>): Promise<Shown[]> =>
  (await ask(query)).body.data.filter(({ route }: Shown) => route !== `GET ${path}`);

const asked = async (query: Record<string, string>) =>
  (await shown(query)).map(
    ({ type, actor_id }) => `${type} by ${actor_id === clinic.staff.id ? 'staff' : 'admin'}`,
  );

describe('the audit trail as admins read it', () => {
  it('is filtered by patient, actor, type and route, and by period of the clinic’s dates', async () => {
    const patient_id = clinic.patient.id;
    expect(await asked({ patient_id })).toEqual([
      'patient_changed by staff',
      'record_read by admin',
      'record_read by staff',
    ]);
    expect(await asked({ patient_id, type: 'record_read', actor_id: clinic.staff.id })).toEqual([
      'record_read by staff',
    ]);
    expect(await asked({ actor_id: clinic.staff.id })).toEqual([
      'patient_changed by staff',
      'list_read by staff',
      'record_read by staff',
      'record_read by staff',
    ]);
    expect(await asked({ route: 'GET /v1/bookings' })).toEqual(['list_read by staff']);
    expect(await asked({ type: 'record_read' })).toEqual([
      'record_read by admin',
      'record_read by staff',
      'record_read by staff',
    ]);
    expect(await asked({ type: 'list_read' })).toEqual(['list_read by staff']);
    expect(await asked({ patient_id, to: '2026-11-23' })).toEqual(['record_read by staff']);
    expect(await asked({ patient_id, from: '2026-11-24', to: '2026-11-24' })).toHaveLength(2);
    expect(await asked({ patient_id, from: '2026-11-25' })).toEqual([]);
    expect((await ask({ from: '2026-11-25', to: '2026-11-24' })).body.errors).toHaveProperty('to');
    expect((await ask({ patient: 'x' })).body.code).toBe('invalid_query');
  });

  it('shows people’s present names, and the block of each line', async () => {
    const [changed] = await shown({ patient_id: clinic.patient.id });
    expect([changed]).toMatchObject([
      {
        actor_name: expect.stringMatching(/^Orang \d+$/),
        actor_kind: 'account',
        patient_name: 'Nama Baru',
        route: null,
        block: 1,
      },
    ]);
    await world.db.update(patients).set({ name: '' }).where(eq(patients.id, clinic.stranger.id));
    const gone = await shown({ patient_id: clinic.stranger.id });
    expect(gone).toMatchObject([{ patient_id: clinic.stranger.id, patient_name: '' }]);
  });

  it('goes on by its cursor, whatever the filter, and gives a table', async () => {
    const actor_id = clinic.staff.id;
    const first = await ask({ actor_id, limit: '2' });
    expect(first.headers.get('Link')).toContain(`actor_id=${actor_id}`);
    const rest = await ask({ actor_id, limit: '2', cursor: first.body.meta.next_cursor });
    const seen = [...first.body.data, ...rest.body.data].map(({ id }: Shown) => id);
    expect(new Set(seen).size).toBe(4);
    expect(rest.body.meta.next_cursor).toBeNull();
    const table = await ask({ actor_id, limit: '2' }, { Accept: 'text/csv' });
    expect(table.headers.get('Content-Type')).toMatch(/^text\/csv/);
    expect(table.headers.get('Link')).toContain('cursor=');
    const [names, line, ...others] = table.body.trimEnd().split('\r\n');
    expect(names).toMatch(/^id,occurred_at,type,actor_id,actor_kind,actor_name,patient_id,patient_name,/);
    expect(line).toContain('"patient_changed"');
    expect(line).toContain('"Nama Baru"');
    expect(others).toHaveLength(1);
  });

  it('leaves a line of its own where it is read, once an hour for each filter', async () => {
    world.clock.now += 3_600_000;
    const query = { actor_id: clinic.doctor.id };
    await ask(query);
    await ask(query);
    const { body } = await ask({ route: `GET ${path}`, limit: '100' });
    const details = body.data.filter(
      ({ detail }: { detail: object }) => JSON.stringify(detail) === JSON.stringify(query),
    );
    expect(details).toHaveLength(1);
  });

  it('is still read where somebody spoilt a line in the database', async () => {
    const line = eq(securityEvents.type, 'patient_changed');
    await world.db.update(securityEvents).set({ detail: 'spoilt {' }).where(line);
    const { status, body } = await ask({ type: 'patient_changed' });
    expect([status, body.data[0].detail]).toEqual([200, null]);
  });
});

describe('the audit trail by who acted', () => {
  it('finds what an account did to itself and to others, and not what others did to it, in one order', async () => {
    const own = await createWorld();
    const { admin, staff, patient } = await createClinic(own);
    const [actorId, other] = [staff.id, patient.id];
    const lines: [actorId: string | null, userId: string | null][] = [
      [actorId, actorId],
      [actorId, other],
      [other, actorId],
      [actorId, null],
      [null, actorId],
      [actorId, actorId],
      [other, other],
      [actorId, other],
    ];
    const wanted: string[] = [];
    for (const [by, userId] of lines) {
      const writeId = own.deps.newId();
      own.clock.now += 1000;
      const event = { writeId, type: 'login' as const, actorId: by, userId, now: own.clock.now };
      await runAll(own.db, [recordSecurityEvent(own.db, event)]);
      if (by === actorId) wanted.unshift(writeId);
    }
    const found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = `${path}?limit=2&actor_id=${actorId}${cursor}`;
      const { body } = await own.request(query, { token: admin.token });
      found.push(...(body.data as Shown[]).map(({ id }) => id));
      cursor = body.meta.next_cursor === null ? null : `&cursor=${body.meta.next_cursor}`;
    }
    expect(found).toEqual(wanted);
  });
});

describe('the check of the audit trail', () => {
  it('is asked for page by page until nothing follows', async () => {
    const own = await createWorld();
    const { admin, staff } = await createClinic(own);
    await writeBlocks(own, 2, 2, 2);
    const { token } = admin;
    const first = await own.request(`${verify}?limit=2`, { token });
    expect(first.body.data).toEqual({
      verdict: 'sound',
      blocks: 2,
      lines: 4,
      unsealed: null,
      findings: [],
    });
    expect(first.body.meta).toEqual({ after: 2, more: true });
    const last = await own.request(`${verify}?limit=2&after=2`, { token });
    expect(last.body).toMatchObject({
      data: { blocks: 1, unsealed: 0 },
      meta: { after: 3, more: false },
    });
    await own.db.delete(securityEvents).where(eq(securityEvents.sequence, 3));
    const broken = await own.request(verify, { token });
    expect(broken.body.data).toMatchObject({
      verdict: 'broken',
      findings: [{ kind: 'line_missing', block: 2 }],
    });
    expect((await own.request(verify, { token: staff.token })).status).toBe(403);
    expect(await blocksOf(own)).toHaveLength(3);
  });

  it('says that a clinic without a line is sound', async () => {
    const own = await createWorld();
    const { admin } = await createClinic(own);
    const { body } = await own.request(verify, { token: admin.token });
    expect(body.data).toMatchObject({ verdict: 'sound', blocks: 0, unsealed: 0 });
  });
});
