import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { freshDatabase } from '#test-database';
import { createClosure, createPractice } from '../support/clinic.ts';
import { seal } from '../support/trail.ts';
import { createWorld, registerPatient } from '../support/world.ts';

const tables = `select type, name, sql from sqlite_master order by name`;
const all = async (sql: string) => (await env.DB.prepare(sql).all()).results;

/** The tables of the service that hold rows, and those whose rows were counted. */
const filled = async (): Promise<unknown[]> => {
  const names = (await all(tables))
    .filter(({ type }) => type === 'table')
    .map(({ name }) => String(name))
    .filter((name) => !/^(_cf|sqlite)_|^d1_migrations$/.test(name));
  const asked = names.map((name) => `select '${name}' as name from "${name}" limit 1`);
  const counted = "select name || ', counted' as name from sqlite_sequence where name <> 'd1_migrations'";
  const answers = await env.DB.batch<{ name: string }>([...asked, counted].map((sql) => env.DB.prepare(sql)));
  return answers.flatMap(({ results }) => results.map(({ name }) => name));
};

const fill = async () => {
  const world = await createWorld({ CLINIC_TIME_ZONE: 'Europe/Berlin' });
  await createPractice(world);
  await createClosure(world, { startDate: '2026-12-24' });
  await registerPatient(world);
  await seal(world);
};

it('leaves neither rows nor counters to the next test, and the tables as they were made', async () => {
  await freshDatabase();
  const made = await all(tables);
  await fill();
  expect(await filled()).toEqual(
    expect.arrayContaining(['schedules', 'users', 'audit_blocks', 'audit_blocks, counted']),
  );
  await freshDatabase();
  expect(await filled()).toEqual([]);
  expect(await all(tables)).toEqual(made);
});

it.each([
  'drop table webhook_deliveries',
  'alter table users rename to people',
  'create trigger refuse before delete on users begin select raise(abort, 1); end',
  'create table more (id)',
  'drop index bookings_day',
])('makes the tables anew after %s', async (damage) => {
  await freshDatabase();
  const made = await all(tables);
  await fill();
  await env.DB.prepare(damage).run();
  await freshDatabase();
  expect(await all(tables)).toEqual(made);
  expect(await filled()).toEqual([]);
});
