import { beforeAll, describe, expect, it } from 'vitest';
import { createTokenKeys } from '../../src/core/crypto/token-keys.ts';
import type { Endpoint, Role } from '../../src/core/endpoint/endpoint.ts';
import { encodeCursor } from '../../src/core/http/cursor.ts';
import { bareCursor, signCursor } from '../../src/core/http/signed-cursor.ts';
import { createClosure } from '../support/clinic.ts';
import { book } from '../support/clinic-people.ts';
import { addDevice, createPerson } from '../support/people.ts';
import { createScene, endpoints, nameOf, pathFor, refusedRoles, type Scene } from '../support/scene.ts';
import { type Field, fieldsOf } from '../support/shapes.ts';
import { findKeys, runtime } from '../support/world.ts';

/** Every list of the API that has a cursor. */
const lists = endpoints.filter(({ query }) => query !== undefined && 'cursor' in query().shape);
const roles: readonly Role[] = ['patient', 'doctor', 'staff', 'admin'];
const callers = (contract: Endpoint): (Role | undefined)[] =>
  contract.access === 'public' ? [undefined] : roles.filter((role) => !refusedRoles(contract).includes(role));

let scene: Scene;

/** A clinic in which every filter has something to hide. */
const fillScene = async (): Promise<Scene> => {
  const filled = await createScene();
  const { world, clinic, people } = filled;
  const { practice, others, stranger, admin, patient } = clinic;
  const at = (schedule_date: string, schedule_time: string) => ({ schedule_date, schedule_time });
  await book(world, clinic, at('2026-11-24', '09:00:00'));
  await book(world, { ...clinic, practice: others }, at('2026-11-25', '09:00:00'));
  await book(world, clinic, at('2026-11-23', '10:00:00'), stranger.token);
  await book(world, { ...clinic, practice: others }, at('2026-11-23', '11:00:00'), stranger.token);
  await world.request(`/v1/bookings/${filled.bookingId}/approve`, { token: admin.token, method: 'POST' });
  for (const doctorId of [practice.doctorId, others.doctorId])
    await createClosure(world, { doctorId, startDate: '2026-12-28' });
  await world.request('/v1/admin/webhooks', {
    token: admin.token,
    body: { url: 'https://hooks.klinik.example/kedua' },
  });
  for (const person of [patient, patient, stranger, stranger]) await addDevice(world, person.id);
  await createPerson(world, 'staff');
  for (const { id } of [people.doctor, people.staff, people.admin]) await addDevice(world, id);
  return filled;
};

beforeAll(async () => {
  scene = await fillScene();
});

/** What a list demands to be asked for at all. */
const demanded: Partial<Record<string, Record<string, string>>> = {
  'GET /v1/admin/holidays': { year: '2027' },
};

const ask = (contract: Endpoint, role: Role | undefined, query: Record<string, string>) =>
  scene.world.request(
    `${pathFor(scene, contract)}?${new URLSearchParams({ ...demanded[nameOf(contract)], ...query })}`,
    {
      token: role && scene.people[role].token,
    },
  );

/** Values by which a filter parts what there is. */
const valuesOf = ({ name, schema }: Field): string[] => {
  const { practice, others, patient, stranger } = scene.clinic;
  if (schema.enum !== undefined) return schema.enum.map(String);
  if (schema.items?.enum !== undefined) return schema.items.enum.map(String);
  if (name === 'doctor_id') return [practice.doctorId, others.doctorId];
  if (name === 'session_id') return [practice.sessionId, others.sessionId];
  if (name === 'patient_id' || name === 'user_id') return [patient.id, stranger.id];
  if (name === 'booking_id')
    return scene.ids.flatMap(([prefix, id]) => (prefix === '/v1/bookings/' ? [id] : []));
  if (name === 'actor_id') return [scene.people.staff.id, scene.people.admin.id];
  if (name === 'route') return ['GET /v1/patients', 'GET /v1/bookings'];
  if (name === 'external_id') return ['SIM-1', 'SIM-2'];
  if (name === 'q') return ['klinik', 'dr'];
  if (schema.format === 'date') return ['2026-11-23', '2026-11-24'];
  if (name === 'updated_since') return ['2026-11-23', '2026-11-24'];
  throw new Error(`The test has no values for the filter ${name}.`);
};

/** The list without a filter, and by each value of each one. */
const filtersOf = (contract: Endpoint): Record<string, string>[] => {
  const others = ['limit', 'cursor', ...Object.keys(demanded[nameOf(contract)] ?? {})];
  const filters = fieldsOf(contract, 'query').filter(({ name }) => !others.includes(name));
  return [{}, ...filters.flatMap((field) => valuesOf(field).map((value) => ({ [field.name]: value })))];
};

// biome-ignore lint/suspicious/noExplicitAny: an item of any list.
const identityOf = (item: any): string => item.id ?? JSON.stringify(item);

/** The rows that a caller gets page by page, and the cursors on the way. */
const walk = async (contract: Endpoint, role: Role | undefined, filter: Record<string, string>) => {
  const shown = new Set<string>();
  const cursors: string[] = [];
  // The audit trail records reads of itself: that line is there before the first page is read.
  if (contract.discloses === 'list' && contract.tag === 'admin') await ask(contract, role, filter);
  let cursor: string | null = null;
  do {
    const page = await ask(contract, role, { ...filter, limit: '2', ...(cursor !== null && { cursor }) });
    if (page.status !== 200) throw new Error(`${nameOf(contract)}: ${JSON.stringify(page.body)}`);
    for (const item of page.body.data) shown.add(identityOf(item));
    cursor = page.body.meta.next_cursor;
    if (cursor !== null) cursors.push(cursor);
  } while (cursor !== null);
  return { shown, cursors };
};

/** A cursor as the clinic would sign it for a list: what it shows does not depend on who made it. */
const sign = (contract: Endpoint, cursor: string) =>
  signCursor(scene.world.deps.tokenKeys, contract.path, cursor);

/** Positions of every form that lists have, before everything, at a role of one's choice, and where nothing is. */
const handMade = (): string[] => {
  const forms: (string | number)[][] = [[]];
  for (let length = 1, grown = forms; length <= 4; length++) {
    grown = grown.flatMap((form) => ['', 0].map((part) => [...form, part]));
    forms.push(...grown);
  }
  const byRole = ['', ...roles].flatMap((role) => [
    [role, '', ''],
    [role, ''],
  ]);
  const early = [[-1], [-1, ''], [Number.MAX_SAFE_INTEGER], [Number.MAX_SAFE_INTEGER, ''], ['', 'x']];
  const byDoctor = [
    [scene.clinic.practice.doctorId, 0, '', ''],
    [scene.clinic.others.doctorId, 0, '', ''],
  ];
  return [...forms, ...byRole, ...early, ...byDoctor].map((position) => encodeCursor(position));
};

const cursorsOfAllLists = async (): Promise<string[]> => {
  const found = new Set<string>();
  for (const contract of lists)
    for (const role of callers(contract))
      for (const cursor of (await walk(contract, role, {})).cursors) found.add(bareCursor(cursor));
  return [...found];
};

/** On Workers, where it takes three times as long, a list is asked with each cursor, and by each filter with one of three. */
const oneOf = runtime === 'node' ? 1 : 3;

describe('a forged cursor, were it signed', () => {
  let forged: string[];
  beforeAll(async () => {
    forged = [...(await cursorsOfAllLists()), ...handMade()];
  });

  it('is tried at every list, with cursors of the others and with hand-made ones', () => {
    expect(lists.length).toBeGreaterThan(10);
    expect(forged.length).toBeGreaterThan(60);
  });

  it.each(lists.map((contract) => [nameOf(contract), contract] as const))(
    'shows nothing that the list without it does not show: %s',
    async (_name, contract) => {
      const widened: string[] = [];
      let answered = 0;
      let turn = 0;
      for (const role of callers(contract))
        for (const filter of filtersOf(contract)) {
          const { shown } = await walk(contract, role, filter);
          turn += 1;
          const isFiltered = Object.keys(filter).length > 0;
          for (const cursor of forged.filter((_, at) => !isFiltered || (at + turn) % oneOf === 0)) {
            const signed = await sign(contract, cursor);
            const { status, body } = await ask(contract, role, { ...filter, cursor: signed, limit: '100' });
            if (status === 400) {
              expect(Object.keys(body.errors)).toEqual(['cursor']);
              continue;
            }
            answered += 1;
            const more = body.data.map(identityOf).filter((id: string) => !shown.has(id));
            if (more.length > 0) widened.push(`${role} ${JSON.stringify(filter)} ${atob(cursor)}`);
          }
        }
      expect(widened).toEqual([]);
      expect(answered).toBeGreaterThan(0);
    },
    120_000,
  );
});

describe('a list of patients', () => {
  it('has no admin, doctor or staff in it, whatever role its cursor names', async () => {
    const cursor = await signCursor(scene.world.deps.tokenKeys, '/v1/patients', encodeCursor(['', '']));
    const { token } = scene.people.staff;
    const { body } = await scene.world.request(`/v1/patients?cursor=${cursor}`, { token });
    const ids = body.data.map((one: { id: string }) => one.id);
    expect(ids).toContain(scene.people.patient.id);
    for (const { id: known } of [scene.people.admin, scene.people.doctor, scene.people.staff])
      expect(ids).not.toContain(known);
  });
});

describe('a cursor', () => {
  it('holds at its own list alone: unsigned, signed elsewhere or of another list it is 400, at every list', async () => {
    const elsewhere = await createTokenKeys(await findKeys('another-secret-of-another-clinic-0123456789'));
    const otherList = lists.map(({ path }) => path);
    let tried = 0;
    for (const [at, contract] of lists.entries()) {
      for (const role of callers(contract)) {
        const [cursor] = (await walk(contract, role, {})).cursors;
        if (cursor === undefined) continue;
        const bare = bareCursor(cursor);
        const other = otherList[(at + 1) % lists.length] as string;
        const refused = [
          bare,
          await signCursor(elsewhere, contract.path, bare),
          await signCursor(scene.world.deps.tokenKeys, other, bare),
          `${cursor}A`,
          cursor.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')),
        ];
        for (const wrong of refused) {
          const { status, body } = await ask(contract, role, { cursor: wrong });
          expect([nameOf(contract), status, body.code, Object.keys(body.errors ?? {})]).toEqual([
            nameOf(contract),
            400,
            'invalid_query',
            ['cursor'],
          ]);
        }
        expect((await ask(contract, role, { cursor })).status).toBe(200);
        tried += 1;
      }
    }
    expect(tried).toBeGreaterThan(12);
  });

  it('is the same in the link of the page', async () => {
    const { staff } = scene.people;
    const page = await scene.world.request('/v1/patients?limit=1', { token: staff.token });
    const next = page.body.meta.next_cursor;
    expect(page.headers.get('Link')).toContain(`cursor=${next}>`);
  });
});
