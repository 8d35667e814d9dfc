import { sql } from 'drizzle-orm';
import { getTableConfig } from 'drizzle-orm/sqlite-core';
import { describe, expect, it, vi } from 'vitest';
import type { Db } from '../../src/core/db/db.ts';
import { belongings } from '../../src/modules/patients/erasure/belongings-queries.ts';
import { deliverWebhooks } from '../../src/modules/webhooks/delivery/deliver.ts';
import { confirmed, createMarkedPerson } from '../support/marked-person.ts';
import { createWorld } from '../support/world.ts';

/** The columns that stay under an anonymous id, and why. */
const kept: Readonly<Record<string, string>> = {
  'bookings.patient_id': 'a visit: which doctor, when, in which state',
  'bookings.created_by': 'an id',
  'booking_events.actor_id': 'an id',
  'security_events.user_id': 'an id, until it is swept',
  'security_events.actor_id': 'an id, until it is swept',
  'security_events.device_login_id': 'an id, until it is swept',
  'security_events.patient_id': 'an id, until it is swept',
  'api_keys.created_by': 'an id of an admin',
  'patients.created_by': 'an id; null in a record that is nobody’s',
  'waitlist_entries.created_by':
    'an id of whoever made it; the entry goes with its patient and the account that waits',
  'patient_imports.created_by': 'an id of an admin, until it is swept',
  'claim_codes.created_by': 'an id of whoever works here, until it is swept',
  'notices.person_id': 'an id, until it is swept',
  'known_networks.account': 'a keyed hash of the e-mail; removed by `forgetAttempts`',
};

/** A column that may hold the id of an account, of its login, or of a patient. */
const namesSomebody = (table: string, column: string): boolean =>
  /^(user|account|patient|owner|actor|person|device_login|holder|created_by|changed_by)(_id)?$/.test(
    column,
  ) || `${table}.${column}` === 'users.id';

const tablesOf = async (db: Db) => {
  const rows = await db
    .select({ name: sql<string>`m.name`.as('name') })
    .from(sql`sqlite_master m where m.type = 'table' and m.name not like 'sqlite%' and m.name not like '\\_%' escape '\\'
      and m.name not like 'd1_%'`);
  return rows.map(({ name }) => name);
};

const columnsOf = async (db: Db, table: string) => {
  const rows = await db
    .select({ name: sql<string>`c.name`.as('name') })
    .from(sql`pragma_table_info(${sql.raw(`'${table}'`)}) c`);
  return rows.map(({ name }) => name);
};

/** The places in the database that contain one of the texts, in upper or lower case. */
const findTraces = async (db: Db, texts: readonly string[]): Promise<string[]> => {
  const found: string[] = [];
  for (const table of await tablesOf(db))
    for (const column of await columnsOf(db, table)) {
      const rows = await db
        .select({ text: sql<string | null>`cast(t.${sql.identifier(column)} as text)`.as('text') })
        .from(sql`${sql.identifier(table)} t`);
      for (const { text } of rows)
        for (const trace of texts)
          if (text?.toLowerCase().includes(trace.toLowerCase())) found.push(`${table}.${column}: ${trace}`);
    }
  return [...new Set(found)];
};

describe('a deletion', () => {
  it('knows every column that names an account, a login or a patient', async () => {
    const { db } = await createWorld();
    const known = new Set([
      ...belongings.map(({ column }) => `${getTableConfig(column.table).name}.${column.name}`),
      ...Object.keys(kept),
    ]);
    const all: string[] = [];
    for (const table of await tablesOf(db))
      for (const column of await columnsOf(db, table))
        if (namesSomebody(table, column)) all.push(`${table}.${column}`);
    expect(all.length).toBeGreaterThan(15);
    expect(all.filter((column) => !known.has(column))).toEqual([]);
  });

  it('leaves no trace of the person in any column of any table, nor in the log', async () => {
    const world = await createWorld({
      MAIL_API_URL: 'https://mail.klinik.example',
      LOG_LEVEL: 'debug',
      RATE_LIMIT: 'on',
      MAX_UNPROVED_BOOKINGS: '0',
    });
    const lines: unknown[] = [];
    const spies = (['debug', 'info', 'warn', 'error'] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation((line) => void lines.push(line)),
    );
    try {
      const person = await createMarkedPerson(world);
      const { traces, token } = person;
      // The search itself is tested.
      const before = await findTraces(world.db, traces);
      expect(new Set(before.map((where) => where.split('.')[0]))).toEqual(
        new Set([
          'booking_events',
          'bookings',
          'device_logins',
          'email_changes',
          'patients',
          'replays',
          'search_words',
          'second_factors',
          'users',
        ]),
      );
      await confirmed(world, person);
      const answer = await world.request('/v1/auth/account', { method: 'DELETE', token });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      await deliverWebhooks(world.deps);
      expect(await findTraces(world.db, traces)).toEqual([]);
      const logged = JSON.stringify(lines).toLowerCase();
      expect(traces.filter((trace) => logged.includes(trace.toLowerCase()))).toEqual([]);
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  });
});
