import { readdirSync, readFileSync } from 'node:fs';
import { createClient } from '@libsql/client';
import { expect, it } from 'vitest';

const isReaching = (name: string) => name.startsWith('0006_');
const migrations = readdirSync('drizzle')
  .filter((name) => name.endsWith('.sql'))
  .sort();
const before = migrations.slice(0, migrations.findIndex(isReaching));
const after = migrations.filter(isReaching);

const v4 = (first: string) => `${first}0000000-0000-4000-8000-000000000000`;

/** Rows of each table that is made again, as the version before stored them. */
const rows: Record<string, Record<string, string | number | null>[]> = {
  clinic: [{ id: 1, time_zone: 'Asia/Jakarta', calendar_version: 1 }],
  users: ['a', 'b'].map((id) => ({
    ...{
      id,
      name: `Nama ${id}`,
      phone_number: '812',
      phone_country_code: '62',
      email: `${id}@klinik.example`,
    },
    ...{ device_id: '', password_hash: 'x', role: 'patient', created_at: 1, updated_at: 2 },
  })),
  patients: ['a', 'b'].map((id) => ({
    ...{ id, name: `Nama ${id}`, phone_number: '812', phone_country_code: '62', staff_notes: '' },
    ...{ created_by: id, created_at: 1, updated_at: 2 },
  })),
  doctors: [
    {
      id: 'd',
      name: 'Sari',
      title: 'dr.',
      specialty: 'Umum',
      calendar_version: 1,
      created_at: 1,
      updated_at: 1,
    },
  ],
  search_words: [
    { owner_id: 'a', kind: 'person', word: 'nama' },
    { owner_id: 'a', kind: 'person', word: 'a@klinik.example' },
    { owner_id: 'b', kind: 'person', word: 'nama' },
    { owner_id: 'd', kind: 'doctor', word: 'sari' },
  ],
  device_logins: ['0', 'f'].map((first) => ({
    ...{ id: v4(first), user_id: 'a', device_id: 'x', user_agent: 'Telepon', created_at: 1, last_seen_at: 2 },
    ...{ expires_at: 3, used_generation: 4, idle_ms: 5, ends_at: first === '0' ? null : 6, proved_at: 7 },
    ...{ revoked_at: 8, revoked_reason: 'logout' },
  })),
  refresh_tokens: [0, 1].map((generation) => ({
    ...{
      hash: `h${generation}`,
      device_login_id: v4('0'),
      generation,
      issued_at: 1,
      expires_at: 2,
      rotated_at: 3,
    },
  })),
  password_resets: [
    { hash: 'h', user_id: 'a', created_at: 1, expires_at: 2, used_at: 3, proves_email: 0 },
    { hash: 'i', user_id: 'a', created_at: 1, expires_at: 2, used_at: null, proves_email: 1 },
  ],
  email_codes: [{ user_id: 'a', hash: 'h', created_at: 1, expires_at: 2, failures: 3 }],
  mail_outbox: [
    {
      ...{
        id: 'm',
        kind: 'email_code',
        user_id: 'a',
        language: 'id',
        created_at: 1,
        expires_at: 2,
        attempts: 3,
      },
      ...{ due_at: 4, lease_id: 'l', sent_at: 5, failed_at: null, last_error: 'TimeoutError' },
    },
  ],
  security_events: ['login', 'role_changed', 'record_read', 'list_read'].map((type, at) => ({
    ...{ sequence: 3 + 2 * at, write_id: `w${at}`, type, user_id: 'a', actor_id: 'b', actor_kind: 'account' },
    ...{
      device_login_id: v4('0'),
      network: 'n',
      request_id: 'r',
      occurred_at: 9 - at,
      detail: at === 0 ? null : '{}',
    },
    ...{ patient_id: 'a', route: 'GET /v1/patients/{id}' },
  })),
  audit_blocks: [
    {
      ...{
        number: 4,
        last_sequence: 20,
        lines: 2,
        newest_at: 9,
        sealed_at: 9,
        lines_hash: 'l',
        previous_hash: 'p',
      },
      ...{ hash: 'h', key_id: 'k', seal: 's' },
    },
  ],
};

it('a database of the version before keeps every row of the tables that are rebuilt, and finds people as before', async () => {
  const client = createClient({ url: ':memory:' });
  const apply = async (names: readonly string[]) => {
    for (const name of names)
      for (const text of readFileSync(`drizzle/${name}`, 'utf8').split('--> statement-breakpoint'))
        await client.execute(text);
  };
  const stored = async () => {
    const all: Record<string, unknown> = {};
    for (const [table, [first = {}]] of Object.entries(rows)) {
      const columns = Object.keys(first).join(', ');
      const found = await client.execute(`select ${columns} from ${table} order by ${columns}`);
      all[table] = found.rows.map((row) => ({ ...row }));
    }
    return all;
  };
  await apply(before);
  await client.execute('pragma foreign_keys = on');
  for (const [table, given] of Object.entries(rows))
    for (const row of given)
      await client.execute({
        sql: `insert or replace into ${table} (${Object.keys(row).join(', ')}) values (${Object.keys(row).map(() => '?')})`,
        args: Object.values(row),
      });
  const were = await stored();
  expect(Object.values(were).flat()).toHaveLength(Object.values(rows).flat().length);
  await apply(after);
  expect(await stored()).toEqual(were);

  const lists = await client.execute(
    'select id, words from patients union all select id, words from doctors',
  );
  expect(lists.rows.map(({ id, words }) => [id, JSON.parse(String(words)).sort()])).toEqual([
    ['a', ['a@klinik.example', 'nama']],
    ['b', ['nama']],
    ['d', ['sari']],
  ]);
  const schema = await client.execute('select type, name, sql from sqlite_master where sql is not null');
  const withoutRowId = schema.rows.filter(({ sql }) => String(sql).endsWith('WITHOUT ROWID'));
  expect(withoutRowId.map(({ name }) => name).sort()).toEqual([
    ...['device_logins', 'email_codes', 'known_networks', 'mail_outbox', 'password_resets', 'queues'],
    ...['refresh_tokens', 'replays', 'search_words', 'throttles'],
  ]);
  expect(schema.rows.filter(({ type }) => type === 'trigger')).toHaveLength(4);
  // A write is recognised as before where it is asked for by its id alone.
  const twice = (type: string) =>
    client.execute(`insert into security_events (write_id, type, occurred_at) values ('w1', '${type}', 1)`);
  await expect(twice('role_changed')).rejects.toThrow('UNIQUE constraint failed: security_events.write_id');
  await twice('login');
  client.close();
});
