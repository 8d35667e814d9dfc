import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { foreignKeyCheck } from '../../src/core/db/foreign-key-check.ts';
import { createWorld } from '../support/world.ts';

it('undoes a migration of D1 that leaves a row which refers to none, and says why', async () => {
  await createWorld();
  const addLogin =
    "insert into refresh_tokens (hash, device_login_id, generation, issued_at, expires_at) values ('h', 'nobody', 0, 0, 0)";
  const migration = (name: string, queries: string[]) => [
    ...env.MIGRATIONS,
    { name, queries: ['pragma defer_foreign_keys = on', ...queries, foreignKeyCheck] },
  ];
  const failed = applyD1Migrations(env.DB, migration('9998_orphan.sql', [addLogin]));
  await expect(failed).rejects.toThrow('foreign_key_check found violations');
  expect(await env.DB.prepare('select count(*) as n from refresh_tokens').first('n')).toBe(0);
  const sound = "insert into search_words (kind, word, owner_id) values ('person', 'sari', 'x')";
  await applyD1Migrations(env.DB, migration('9999_sound.sql', [sound]));
  expect(await env.DB.prepare('select count(*) as n from search_words').first('n')).toBe(1);
});
