import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { and, eq } from 'drizzle-orm';
import Database from 'libsql';
import { expect, it } from 'vitest';
import { patients } from '../../../src/core/tables/patients.ts';
import { searchWords } from '../../../src/core/tables/search.ts';
import { openDatabase } from '../../../src/runtime/node/database/database.ts';
import { findViolations } from '../../support/invariants.ts';
import { createPerson } from '../../support/people.ts';
import { createWorld, mondayMorning, registerPatient } from '../../support/world.ts';

const migration = readFileSync('drizzle/0009_joined_words.sql', 'utf8').split('--> statement-breakpoint');

it('who stood before words were joined is found by them after the migration, and no row is written twice', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'janji-test-'));
  const path = join(folder, 'standing.db');
  const { db, close } = await openDatabase(`file:${path}`);
  const world = await createWorld({}, mondayMorning, db);
  const { token } = await createPerson(world, 'staff');
  const { id } = await registerPatient(world, { name: 'Siti Nur’aini-Putri' });
  const listed = async () => (await world.db.select().from(patients).where(eq(patients.id, id)))[0]?.words;
  const written = JSON.parse((await listed()) ?? '[]') as string[];
  const before = written.filter((word) => word !== 'nurainiputri');
  expect(before).toHaveLength(written.length - 1);
  await world.db
    .update(patients)
    .set({ words: JSON.stringify(before) })
    .where(eq(patients.id, id));
  await world.db
    .delete(searchWords)
    .where(and(eq(searchWords.ownerId, id), eq(searchWords.word, 'nurainiputri')));

  const connection = new Database(path);
  for (let times = 0; times < 2; times++) for (const statement of migration) connection.exec(statement);
  connection.close();
  expect((JSON.parse((await listed()) ?? '[]') as string[]).toSorted()).toEqual(written.toSorted());
  const { body } = await world.request('/v1/patients?q=nurainiputri', { token });
  expect(body.data.map((each: { id: string }) => each.id)).toEqual([id]);
  expect(await findViolations(world.db)).toEqual([]);
  await close();
  rmSync(folder, { recursive: true });
});
