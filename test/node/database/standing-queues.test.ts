import { readdirSync, readFileSync } from 'node:fs';
import { createClient } from '@libsql/client';
import { expect, it } from 'vitest';

const migrations = readdirSync('drizzle')
  .filter((name) => name.endsWith('.sql'))
  .sort()
  .map((name) => readFileSync(`drizzle/${name}`, 'utf8'));
const labels = migrations.findIndex((text) => text.includes('queue_label'));

it('an existing database: each queue gets its letters by its first booking, and each booking its label', async () => {
  const client = createClient({ url: ':memory:' });
  const apply = async (texts: readonly string[]) => {
    for (const text of texts) await client.migrate(text.split('--> statement-breakpoint'));
  };
  await apply(migrations.slice(0, labels));
  const queues = [...Array(28).keys()].map((at) => `d${String(at).padStart(2, '0')}`);
  await client.batch([
    `insert into patients (id, name, phone_number, phone_country_code, staff_notes, created_at, updated_at)
      values ('p', 'P', '', '', '', 1, 1)`,
    "insert into sessions (id, name, created_at, updated_at) values ('s', 'S', 1, 1), ('t', 'T', 1, 1)",
    ...queues.map(
      (id) => `insert into doctors (id, name, title, specialty, calendar_version, created_at, updated_at)
        values ('${id}', 'D', '', '', 1, 1, 1)`,
    ),
  ]);
  let made = 0;
  const add = (doctor: string, session: string, number: number) => {
    made += 1;
    return client.execute(`insert into bookings (id, version, write_id, patient_id, doctor_id, doctor_name, session_id,
        session_name, schedule_date, schedule_time, starts_at, ends_at, seat, queue_number, booking_code, notes, status,
        created_by, created_at, updated_at, call_count)
      values ('b${made}', 1, 'w${made}', 'p', '${doctor}', 'D', '${session}', 'S', '2026-11-23', '09:00:00',
        ${made * 1_000}, ${made * 1_000 + 1}, 1, ${number}, 'c${made}', '', 'canceled', 'p', ${made}, 1, 0)`);
  };
  await add('d05', 't', 1);
  for (const id of queues) await add(id, 's', 7);
  await add('d05', 't', 123);
  await apply(migrations.slice(labels));
  const { rows } = await client.execute('select id, queue_label from bookings order by created_at');
  const given = rows.map(({ queue_label }) => String(queue_label));
  expect([given[0], given[1], given[25], given[26], given[28], given.at(-1)]).toEqual([
    'A-01',
    'B-07',
    'Z-07',
    'AA-07',
    'AC-07',
    'A-123',
  ]);
  expect(new Set(given).size).toBe(given.length);
  client.close();
});
