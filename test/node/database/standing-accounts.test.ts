import { readdirSync, readFileSync } from 'node:fs';
import { createClient } from '@libsql/client';
import { expect, it } from 'vitest';

/** The stored value of the earlier version for an account without a password. */
const NOBODYS_PHC =
  '$argon2id$v=19$m=19456,t=2,p=1$kwhetYmtVszqPSZzlU9Slg$T7CgSOZI7aRB5+oLQzubaD32Ja5X1rDdbGPZLQNWF1Q';

const [first = '', ...later] = readdirSync('drizzle')
  .filter((name) => name.endsWith('.sql'))
  .sort();

it('an existing database: its e-mails count as proved, and invited people as invited', async () => {
  const client = createClient({ url: ':memory:' });
  const apply = (name: string) =>
    client.migrate(readFileSync(`drizzle/${name}`, 'utf8').split('--> statement-breakpoint'));
  await apply(first);
  const add = (id: string, role: string, hash: string) =>
    client.execute({
      sql: `insert into users (id, name, phone_number, phone_country_code, email, device_id, password_hash, role, created_at, updated_at)
        values (?, 'N', '', '', ?, '', ?, ?, 5, 5)`,
      args: [id, `${id}@klinik.example`, hash, role],
    });
  const tell = (writeId: string, userId: string, type: string, detail: string | null) =>
    client.execute({
      sql: 'insert into security_events (write_id, type, user_id, occurred_at, detail) values (?, ?, ?, 5, ?)',
      args: [writeId, type, userId, detail],
    });
  await add('terdaftar', 'doctor', 'x');
  await tell('a', 'terdaftar', 'registered', null);
  await tell('b', 'terdaftar', 'role_changed', '{"from":"patient","to":"doctor","doctor_id":null}');
  await add('diundang', 'staff', NOBODYS_PHC);
  await tell('c', 'diundang', 'role_changed', '{"from":null,"to":"staff","doctor_id":null}');
  await client.execute(
    "insert into password_resets (hash, user_id, created_at, expires_at) values ('h', 'terdaftar', 5, 9)",
  );
  for (const name of later) await apply(name);
  const { rows } = await client.execute(
    'select id, email_proved_at, invited_at, password_unset_at from users order by id',
  );
  expect(rows.map((row) => ({ ...row }))).toEqual([
    { id: 'diundang', email_proved_at: 5, invited_at: 5, password_unset_at: 5 },
    { id: 'terdaftar', email_proved_at: 5, invited_at: null, password_unset_at: null },
  ]);
  const resets = await client.execute('select proves_email from password_resets');
  expect(resets.rows[0]?.proves_email).toBe(1);
  client.close();
});
