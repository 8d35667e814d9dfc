import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import type { Endpoint, Role } from '../../src/core/endpoint/endpoint.ts';
import { isPlain } from '../../src/modules/auth/audit/rules.ts';
import { bookingInput } from '../support/clinic.ts';
import { act, book } from '../support/clinic-people.ts';
import { begunAnew, left, seen } from '../support/disclosures.ts';
import { everybodyConfirms } from '../support/factors.ts';
import { crashAtRoundTrip } from '../support/interleave.ts';
import { createScene, endpoints, nameOf, refusedRoles, type Scene } from '../support/scene.ts';
import { requestPath } from '../support/shapes.ts';
import { linesOf } from '../support/trail.ts';

const reads = endpoints.filter(({ method, access }) => method === 'get' && access !== 'public');
const ofClinic = (contract: Endpoint): Role[] =>
  (['staff', 'doctor', 'admin'] as const).filter((role) => !refusedRoles(contract).includes(role));

let scene: Scene;
let mend = () => {};
beforeAll(async () => {
  scene = await createScene();
});
afterEach(() => {
  mend();
  mend = () => {};
});

describe('what a read shows of patients', () => {
  it.each(reads.map((contract) => [nameOf(contract), contract] as const))(
    'is said by %s',
    (_name, contract) =>
      expect(contract.discloses, 'say in the contract what it shows: see `discloses`').toBeDefined(),
  );

  it('is said by no endpoint without a token, which shows nothing of anybody', () => {
    const open = endpoints.filter(({ access }) => access === 'public');
    expect(open.filter(({ discloses }) => discloses !== undefined).map(nameOf)).toEqual([]);
  });

  const cases = reads.flatMap((contract) =>
    ofClinic(contract).map((role) => [role, nameOf(contract), contract] as const),
  );
  const kinds = {
    record: ['record_read'],
    list: ['list_read'],
    export: ['data_exported'],
    own: [],
    nothing: [],
  };
  it.each(cases)('leaves what it has to: %s, %s', async (role, name, contract) => {
    const { world, people } = scene;
    const who = people[role];
    const request = begunAnew(world);
    const once = async () => {
      const response = await request(requestPath(scene, contract), who.token);
      expect(response.status).toBe(200);
      return response;
    };
    // A new hour, in which nobody has read a list.
    world.clock.now += 3_600_000;
    await everybodyConfirms(world);
    let requestId: string | null = null;
    const lines = await left(world, async () => {
      requestId = (await once()).headers.get('X-Request-Id');
    });
    expect(lines.map(({ type }) => type)).toEqual(kinds[contract.discloses ?? 'nothing']);
    for (const line of lines) {
      const { clock } = world;
      expect(line).toMatchObject({ actorId: who.id, actorKind: 'account', route: name, requestId });
      expect(line).toMatchObject({ occurredAt: clock.now, deviceLoginId: expect.any(String) });
      if (line.type === 'record_read') expect(line.patientId).toMatch(/^[\da-f-]{36}$/);
    }
    const again = await left(world, once);
    const isEach = contract.discloses === 'record' || contract.discloses === 'export';
    expect(again).toHaveLength(isEach ? 1 : 0);
  });

  it.each(
    reads
      .filter((contract) => !refusedRoles(contract).includes('patient'))
      .map((c) => [nameOf(c), c] as const),
  )('leaves nothing where a patient reads the own: %s', async (_name, contract) => {
    const { world, people } = scene;
    // One statement more would be one more in a batch.
    const lines = await left(world, async () => {
      const path = requestPath(scene, contract);
      expect((await world.request(path, { token: people.patient.token })).status).toBe(200);
    });
    expect(lines).toEqual([]);
  });

  it('is whose the booking is that was read, the patient that was merged or the account', async () => {
    const { world, people, clinic, bookingId } = scene;
    const { token } = people.admin;
    const lines = await left(world, async () => {
      for (const path of [
        `/v1/bookings/${bookingId}`,
        `/v1/bookings/${bookingId}/events`,
        `/v1/bookings/${bookingId}/calendar.ics`,
        `/v1/patients/${clinic.patient.id}`,
        `/v1/patients/${clinic.patient.id}/bookings`,
        `/v1/admin/people/${clinic.patient.id}`,
      ])
        expect((await world.request(path, { token })).status).toBe(200);
    });
    expect(lines.map(({ patientId }) => patientId)).toEqual(Array(6).fill(clinic.patient.id));
  });

  it('leaves no line where somebody of the clinic reads the own family, or a colleague’s account', async () => {
    const { world, people, clinic } = await createScene();
    const own = await book(world, { ...clinic, practice: clinic.others }, {}, people.doctor.token);
    const lines = await left(world, async () => {
      for (const path of [`/v1/bookings/${own}`, '/v1/bookings/history', '/v1/family', '/v1/auth/profile'])
        expect((await world.request(path, { token: people.doctor.token })).status).toBe(200);
      const colleague = `/v1/admin/people/${people.staff.id}`;
      expect((await world.request(colleague, { token: people.admin.token })).status).toBe(200);
    });
    expect(lines).toEqual([]);
  });

  it('leaves no line where nothing was shown: refused, not there, or not to be changed', async () => {
    const { world, people, clinic } = await createScene();
    const lines = await left(world, async () => {
      const ask = (path: string, { token }: { token: string }) => world.request(path, { token });
      expect((await ask(`/v1/patients/${crypto.randomUUID()}`, people.staff)).status).toBe(404);
      expect((await ask(`/v1/patients/${clinic.patient.id}`, clinic.otherDoctor)).status).toBe(404);
      expect((await ask('/v1/patients', people.doctor)).status).toBe(403);
      expect((await ask('/v1/patients?limit=x', people.staff)).status).toBe(400);
    });
    expect(lines).toEqual([]);
  });
});

describe('a line', () => {
  it('contains only ids: no name, number or word that was searched for', async () => {
    const { world, people, clinic } = await createScene();
    const { token } = people.staff;
    const marks = { name: 'Penanda Unik', phone_number: '81377712345', national_id: '3171234567890123' };
    const before = await linesOf(world);
    const made = await world.request('/v1/patients', {
      token,
      body: { ...marks, staff_notes: 'rahasia-klinik', birth_date: '1950-02-03' },
    });
    const id = made.body.data.id;
    const notes = { notes: 'keluhan-rahasia', patient_id: id, schedule_time: '14:00:00' };
    const booked = await world.request('/v1/bookings', { token, body: bookingInput(clinic.practice, notes) });
    for (const path of [
      `/v1/patients/${id}`,
      '/v1/patients?q=Penanda%20Unik',
      '/v1/patients?q=penanda%20unik',
      '/v1/patients?q=3171234567890123',
      '/v1/patients?q=1950-02-03',
      '/v1/bookings?q=Penanda',
      `/v1/bookings/${booked.body.data.id}`,
      `/v1/admin/people?q=penanda`,
    ])
      await world.request(path, { token: path.includes('admin') ? people.admin.token : token });
    const lines = (await linesOf(world)).slice(before.length);
    expect(lines.length).toBeGreaterThanOrEqual(8);
    const written = JSON.stringify(lines);
    expect(written).not.toMatch(/penanda|unik|81377712345|3171234567890123|rahasia|keluhan/i);
    // Equal words compare as equal, in upper or lower case.
    const searches = lines.filter(({ route }) => route === 'GET /v1/patients').map(({ detail }) => detail);
    expect(searches[0]).toMatch(/^\{"q":"[\w-]{16}"\}$/);
    expect(searches[1]).toBe(searches[0]);
    expect(searches[2]).not.toBe(searches[0]);
  });

  it.each([
    ['q', '1950-02-03', true],
    ['q', 'Budi', false],
    ['q', '3171234567890123', false],
    ['status', 'waiting,approved', true],
    ['doctor_id', 'd0c70000-0000-4000-8000-000000001001', true],
    ['email', 'budi@klinik.example', false],
  ])('has a filter %s=%s as it is: %s', (name, value, expected) =>
    expect(isPlain([name, value])).toBe(expected),
  );

  it('is written before the answer: who cannot be written down is shown nothing', async () => {
    const { world, people, clinic } = await createScene();
    world.clock.now += 3_600_000;
    await seen(world, people.staff);
    for (const path of [`/v1/patients/${clinic.patient.id}`, '/v1/bookings/changes?after=0']) {
      mend = crashAtRoundTrip(world, 2, 'before');
      const app = createApp(world.deps);
      const headers = { Authorization: `Bearer ${people.staff.token}` };
      const answer = await app.request(`http://localhost${path}`, { headers });
      expect([answer.status, (await answer.text()).includes('Orang')]).toEqual([503, false]);
      mend();
    }
  });

  it('is one though the answer of the database was lost', async () => {
    const { world, people, clinic } = await createScene();
    await seen(world, people.staff);
    const lines = await left(world, async () => {
      mend = crashAtRoundTrip(world, 2, 'after');
      const app = createApp(world.deps);
      const headers = { Authorization: `Bearer ${people.staff.token}` };
      await app.request(`http://localhost/v1/patients/${clinic.patient.id}`, { headers });
      mend();
    });
    expect(lines).toHaveLength(1);
  });
});

describe('records that a write shows beside its change', () => {
  it('have a line where nothing was changed: candidates, a preview, a booking that stays', async () => {
    const { world, people, clinic } = await createScene();
    const { token } = people.staff;
    const body = { name: 'Pak Darmo', birth_date: '1960-08-17' };
    const found = await left(world, async () => {
      const answer = await world.request('/v1/patients', { token, body });
      expect(answer.body.code).toBe('possible_duplicate');
    });
    expect(found).toMatchObject([
      { type: 'record_read', route: 'POST /v1/patients', actorId: people.staff.id },
    ]);
    const patientId = found[0]?.patientId;
    const merge = { into: clinic.stranger.id, dry_run: true };
    const preview = await left(world, () =>
      world.request(`/v1/patients/${patientId}/merge`, { token, body: merge }),
    );
    expect(preview).toMatchObject([{ detail: `{"patient_ids":"${patientId},${clinic.stranger.id}"}` }]);
    const id = await book(world, clinic, { schedule_time: '11:00:00' });
    const stays = await left(world, () =>
      act(world, people.staff, id, 'reschedule', { schedule_date: '2026-11-23', schedule_time: '11:00:00' }),
    );
    expect(stays).toMatchObject([{ type: 'record_read', patientId: clinic.patient.id }]);
    const moved = await left(world, () =>
      act(world, people.staff, id, 'reschedule', { schedule_date: '2026-11-23', schedule_time: '11:30:00' }),
    );
    expect(moved).toEqual([]);
  });
});
