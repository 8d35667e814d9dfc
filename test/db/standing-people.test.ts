import { getTableColumns, getTableName, is, sql } from 'drizzle-orm';
import { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { expect, it } from 'vitest';
import { standingDatabase } from '#test-database';
import snapshot from '../../drizzle/meta/0006_snapshot.json' with { type: 'json' };
import type { Db } from '../../src/core/db/db.ts';
import * as accounts from '../../src/core/tables/accounts.ts';
import * as audit from '../../src/core/tables/audit.ts';
import * as bookings from '../../src/core/tables/bookings.ts';
import * as catalog from '../../src/core/tables/catalog.ts';
import * as consents from '../../src/core/tables/consents.ts';
import * as factors from '../../src/core/tables/factors.ts';
import * as idempotency from '../../src/core/tables/idempotency.ts';
import * as keys from '../../src/core/tables/keys.ts';
import * as mail from '../../src/core/tables/mail.ts';
import * as patients from '../../src/core/tables/patients.ts';
import * as queues from '../../src/core/tables/queues.ts';
import * as search from '../../src/core/tables/search.ts';
import * as throttle from '../../src/core/tables/throttle.ts';
import * as webhooks from '../../src/core/tables/webhooks.ts';
import { bookingInput } from '../support/clinic.ts';
import { findViolations } from '../support/invariants.ts';
import { createScene } from '../support/scene.ts';
import { seal, verifyAll } from '../support/trail.ts';
import { createWorld, password, registerPatient } from '../support/world.ts';

const tables = [
  ...[accounts, audit, bookings, catalog, consents, factors, idempotency, keys, mail, patients, queues],
  ...[search, throttle, webhooks],
]
  .flatMap((file): unknown[] => Object.values(file))
  .filter((exported) => is(exported, SQLiteTable))
  // A table that came later has no rows in a database of the version before.
  .filter((table) => getTableName(table) in snapshot.tables);

const columnsOf = (table: SQLiteTable) => Object.values(getTableColumns(table)).map(({ name }) => name);

type Rows = Record<string, (string | number | null)[][]>;

/** Every row of every table. */
const rowsOf = async (db: Db): Promise<Rows> => {
  const all: Rows = {};
  for (const table of tables) {
    const list = sql.raw(`json_array(${columnsOf(table).map((column) => `"${column}"`)})`);
    const rows = await db.select({ row: sql<string>`${list}`.as('row') }).from(table);
    all[getTableName(table)] = rows
      .map(({ row }) => row)
      .toSorted()
      .map((row) => JSON.parse(row));
  }
  return all;
};

const literal = (value: string | number | null): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);

const before: Readonly<Record<string, { columns: object }>> = snapshot.tables;

const insertsOf = (all: Rows): string[] =>
  tables.flatMap((table) => {
    const name = getTableName(table);
    const columns = columnsOf(table);
    const known = before[name]?.columns ?? {};
    const had = <T>(list: readonly T[]): T[] => list.filter((_, at) => (columns[at] ?? '') in known);
    return (all[name] ?? []).map(
      (row) =>
        `insert into "${name}" (${had(columns).map((column) => `"${column}"`)}) values (${had(row).map(literal)})`,
    );
  });

/**
 * Search words that the earlier version also wrote: the number without its code, in the list and as an entry, and the
 * e-mail as one.
 */
const wordsBefore = [
  `update patients set words = (select json_group_array(value) from (select value from json_each(words) union all
    select ltrim(phone_number, '0'))) where words <> '[]' and phone_country_code = '62' and phone_number <> ''`,
  `insert or ignore into search_words (kind, word, owner_id)
    select 'person', j.value, p.id from patients p, json_each(p.words) j`,
];

const livedIn = async () => {
  const scene = await createScene();
  const { world, clinic, people } = scene;
  const { staff, patient } = clinic;
  const sari = await registerPatient(world, { name: "Sari Nur 'Ain", email: 'sari@klinik.example' });
  const bare = { name: 'Sari Tanpa Akun', birth_date: '1990-01-01', phone_number: '0811222333' };
  const bodies = [
    { ...bare, phone_country_code: '62', national_id: '3171234567890001' },
    { ...bare, phone_country_code: '62', name: 'Sari T. Akun', confirm: true },
    { ...bare, name: 'Lim', phone_country_code: '60', email: 'lim@klinik.example', confirm: true },
  ];
  const records: string[] = [];
  for (const body of bodies) {
    const added = await world.request('/v1/patients', { token: staff.token, body });
    expect(added.status).toBe(201);
    records.push(added.body.data.id);
  }
  const [into, source, lim] = records;
  const merged = await world.request(`/v1/patients/${source}/merge`, { token: staff.token, body: { into } });
  expect(merged.status).toBe(200);
  const code = await world.request(`/v1/patients/${into}/claim-code`, { token: staff.token, body: {} });
  const claim = { code: code.body.data.code, birth_date: '1990-01-01', relation: 'parent' };
  expect((await world.request('/v1/family/claim', { token: patient.token, body: claim })).status).toBe(200);
  await world.request('/v1/auth/password/forgot', { body: { email: sari.email } });
  await world.request('/v1/auth/login', { body: { email: sari.email, password: 'salah-sekali' } });
  await Promise.all(world.background.splice(0));
  await seal(world);
  // What the version before never stored.
  await world.db.update(webhooks.webhookDeliveries).set({ exchange: null });
  await world.db.delete(queues.holds);
  return { world, clinic, people, sari, into, source, lim };
};

it('a database of the version before keeps every row of people and of what refers to them', async () => {
  const { world: before, clinic, people, sari, into, source, lim } = await livedIn();
  const { staff, admin, patient } = clinic;
  const stored = await rowsOf(before.db);
  for (const name of ['users', 'patients', 'family_relations', 'bookings', 'security_events', 'audit_blocks'])
    expect(stored[name]?.length, name).toBeGreaterThan(0);

  const db = await standingDatabase([...insertsOf(stored), ...wordsBefore], '0006_reaching');
  expect(await rowsOf(db)).toEqual(stored);
  const world = await createWorld({}, before.clock.now, db);
  expect(await findViolations(db)).toEqual([]);
  expect(await verifyAll(world)).toEqual([]);
  // The foreign keys of tables that were made again hold.
  const nobody = crypto.randomUUID();
  for (const write of [
    db.update(bookings.bookings).set({ patientId: nobody }),
    db.update(accounts.deviceLogins).set({ userId: nobody }),
    db.delete(accounts.users),
    db.delete(patients.patients),
  ])
    await expect(write.then(() => 'written')).rejects.toThrow();

  const found = async (path: string, token: string) => {
    const answer = await world.request(path, { token });
    return (answer.body.data as { id: string }[]).map(({ id }) => id).toSorted();
  };
  const both = [sari.id, into ?? ''].toSorted();
  expect(await found('/v1/patients?q=sari', staff.token)).toEqual(both);
  expect(await found('/v1/patients?q=0811222', staff.token)).toEqual([into, lim].toSorted());
  expect(await found('/v1/patients?q=62811222', staff.token)).toEqual([into]);
  expect(await found('/v1/admin/people?q=sari@', admin.token)).toEqual([sari.id]);
  const names = (await world.request('/v1/patients?limit=100', { token: staff.token })).body.data;
  const shown = (names as { name: string }[]).map(({ name }) => name);
  expect(shown).toEqual(shown.toSorted());
  expect(shown).toEqual(expect.arrayContaining(["Sari Nur 'Ain", 'Sari Tanpa Akun', 'Lim', 'Pak Darmo']));
  const old = await world.request(`/v1/patients/${source}`, { token: staff.token });
  expect(old.body.data).toMatchObject({ id: into });
  const line = await world.request(`/v1/admin/security-events?actor_id=${sari.id}&type=registered`, {
    token: admin.token,
  });
  expect(line.body.data).toMatchObject([{ type: 'registered' }]);

  const login = await world.request('/v1/auth/login', { body: { email: sari.email, password } });
  expect(login.status).toBe(200);
  const history = await world.request('/v1/bookings/history', { token: people.patient.token });
  expect(history.status).toBe(200);
  const body = { ...bookingInput(clinic.practice, { schedule_date: '2026-12-01' }), patient_id: into };
  expect((await world.request('/v1/bookings', { token: patient.token, body })).status).toBe(201);
  expect(await findViolations(db)).toEqual([]);
});
