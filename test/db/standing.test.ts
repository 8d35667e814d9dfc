import { eq, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { foundation, standingDatabase } from '#test-database';
import type { Db } from '../../src/core/db/db.ts';
import { users } from '../../src/core/tables/accounts.ts';
import { bookings } from '../../src/core/tables/bookings.ts';
import { patients } from '../../src/core/tables/patients.ts';
import { webhookDeliveries } from '../../src/core/tables/webhooks.ts';
import { expireBookings } from '../../src/modules/booking/changes/expire.ts';
import { deliverWebhooks } from '../../src/modules/webhooks/delivery/deliver.ts';
import { bookingInput } from '../support/clinic.ts';
import { act, book, createClinic, detail } from '../support/clinic-people.ts';
import { findViolations } from '../support/invariants.ts';
import { createEndpoint } from '../support/receiver.ts';
import { createWorld, mondayMorning, password, registerPatient } from '../support/world.ts';

const day = 86_400_000;

/** The tables of the first release with their columns. */
const firstTables = (): Map<string, string[]> => {
  const tables = new Map<string, string[]>();
  for (const text of foundation()) {
    const name = /CREATE TABLE `(\w+)`/.exec(text)?.[1];
    if (name === undefined) continue;
    const columns = [...text.matchAll(/^\s*`(\w+)` (?:text|integer)/gm)].map((found) => found[1] ?? '');
    tables.set(name, columns);
  }
  return tables;
};

type Rows = Record<string, string>;

/** Every row of the first release's tables, each as a JSON list of the columns that it had. */
const rowsOf = async (db: Db): Promise<Rows> => {
  const all: Rows = {};
  for (const [name, columns] of firstTables()) {
    const list = sql.raw(`json_array(${columns.map((column) => `"${column}"`).join(', ')})`);
    const rows = await db.select({ row: sql<string>`${list}`.as('row') }).from(sql.raw(`"${name}"`));
    all[name] = JSON.stringify(rows.map(({ row }) => row).toSorted());
  }
  return all;
};

const literal = (value: unknown): string => {
  if (value === null) return 'null';
  return typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
};

const insertsOf = (all: Rows): string[] =>
  [...firstTables()].flatMap(([name, columns]) =>
    (JSON.parse(all[name] ?? '[]') as string[]).map((row) => {
      const values = (JSON.parse(row) as unknown[]).map(literal);
      return `insert into "${name}" (${columns.map((column) => `"${column}"`).join(', ')}) values (${values.join(', ')})`;
    }),
  );

/** A clinic with bookings in every state, logins, and events of which some were sent and some wait. */
const livedIn = async () => {
  const world = await createWorld({ MIN_NOTICE_MINUTES: '0' });
  const clinic = await createClinic(world, { capacity: 3 });
  const { staff, patient, stranger } = clinic;
  const registered = await registerPatient(world, { email: 'lama@klinik.example', name: "Nur 'Ain" });
  await createEndpoint(world);
  const ids: Record<string, string> = {};
  const make = async (name: string, verbs: readonly string[], schedule_time: string, who = patient) => {
    ids[name] = await book(world, clinic, { schedule_time, notes: `catatan ${name}` }, who.token);
    for (const verb of verbs) expect((await act(world, staff, ids[name] ?? '', verb)).status, verb).toBe(200);
  };
  await make('canceled', [], '08:00:00', stranger);
  await act(world, stranger, ids.canceled ?? '', 'cancel', { reason: 'Sembuh' });
  await make('rejected', ['reject'], '08:30:00');
  await make('completed', ['approve', 'check-in', 'call', 'call', 'complete'], '09:00:00');
  await make('called', ['approve', 'check-in', 'call'], '09:30:00', stranger);
  await make('missed', ['approve'], '08:00:00');
  await make('expired', [], '08:30:00', stranger);
  await deliverWebhooks({ ...world.deps, sendWebhook: async () => ({ status: 204 }) });
  world.clock.now += 2 * 3_600_000 + 60_000;
  await act(world, staff, ids.missed ?? '', 'no-show');
  await expireBookings(world.deps, world.clock.now);
  await make('waiting', [], '14:00:00');
  await make('approved', ['approve'], '14:30:00');
  const headers = { 'Idempotency-Key': 'kunci-lama' };
  const keyed = bookingInput(clinic.practice, { schedule_date: '2026-11-25' });
  const kept = await world.request('/v1/bookings', { token: patient.token, body: keyed, headers });
  await world.request('/v1/auth/password/forgot', { body: { email: registered.email } });
  await world.request('/v1/auth/login', { body: { email: registered.email, password: 'salah-sekali' } });
  await Promise.all(world.background.splice(0));
  return { world, clinic, ids, registered, keyed, headers, kept };
};

it('a database of the first release keeps every row, and goes on with records of its patients', async () => {
  const { world: before, clinic, ids, registered, keyed, headers, kept } = await livedIn();
  const { patient, stranger, staff } = clinic;
  const stored = await rowsOf(before.db);
  for (const name of ['bookings', 'booking_events', 'webhook_deliveries', 'replays', 'refresh_tokens'])
    expect(JSON.parse(stored[name] ?? '[]').length, name).toBeGreaterThan(0);
  const states = await before.db.select().from(bookings);
  expect(new Set(states.map(({ status, canceledBy }) => `${status} ${canceledBy}`)).size).toBe(5);

  const db = await standingDatabase(insertsOf(stored));
  const { now } = before.clock;
  expect(await rowsOf(db)).toEqual(stored);
  const world = await createWorld({ MIN_NOTICE_MINUTES: '0' }, now, db);
  expect(await findViolations(db)).toEqual([]);

  const people = await db.select().from(users);
  const records = await db.select().from(patients);
  expect(
    records.map(({ id, name, phoneNumber, mergedInto }) => [id, name, phoneNumber, mergedInto]).toSorted(),
  ).toEqual(people.map(({ id, name, phoneNumber }) => [id, name, phoneNumber, null]).toSorted());
  const orphan = db.update(bookings).set({ patientId: crypto.randomUUID() });
  await expect(orphan.then(() => 'written')).rejects.toThrow();

  const logged = await world.request('/v1/auth/login', { body: { email: registered.email, password } });
  expect(logged).toMatchObject({ status: 200, body: { data: { user: { name: "Nur 'Ain" } } } });
  const refresh = { refresh_token: registered.refreshToken };
  expect((await world.request('/v1/auth/refresh', { body: refresh })).status).toBe(200);
  const replay = await world.request('/v1/bookings', { token: patient.token, body: keyed, headers });
  expect([replay.status, replay.body]).toEqual([201, kept.body]);
  const history = await world.request('/v1/bookings/history', { token: patient.token });
  expect(history.body.data).toHaveLength(6);
  expect(await detail(world, patient, ids.completed ?? '')).toMatchObject({
    notes: 'catatan completed',
    patient: { id: patient.id },
    visit: { status: 'completed', call_count: 2 },
  });

  expect((await act(world, staff, ids.waiting ?? '', 'approve')).status).toBe(200);
  expect((await act(world, patient, ids.completed ?? '', 'cancel')).body.code).toBe('invalid_transition');
  const body = bookingInput(clinic.practice, { schedule_date: '2026-11-24' });
  expect((await world.request('/v1/bookings', { token: stranger.token, body })).status).toBe(201);
  const child = { name: 'Anak', birth_date: '2019-04-23', relation: 'child' };
  const added = await world.request('/v1/family', { token: stranger.token, body: child });
  const forChild = { ...body, patient_id: added.body.data.id };
  expect((await world.request('/v1/bookings', { token: stranger.token, body: forChild })).status).toBe(201);
  const found = await world.request('/v1/patients?q=ain', { token: staff.token });
  expect(found.body.data).toMatchObject([{ id: registered.id, has_account: true }]);

  world.clock.now = mondayMorning + day;
  world.deps.sendWebhook = async () => ({ status: 204 });
  for (let rounds = 0; rounds < 5; rounds++) await deliverWebhooks(world.deps);
  const waiting = await db.select().from(webhookDeliveries).where(eq(webhookDeliveries.state, 'pending'));
  expect(waiting).toEqual([]);
  expect(await findViolations(db)).toEqual([]);
});
