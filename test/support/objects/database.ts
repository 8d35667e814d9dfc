import { env } from 'cloudflare:workers';
import { ofClinics } from 'janji:migrations';
import type { Db } from '../../../src/core/db/db.ts';
import { openCalled } from '../../../src/core/db/object.ts';
import type { ObjectBindings } from '../../../src/runtime/worker/objects/calls.ts';
import { archiveOf } from '../../../src/runtime/worker/objects/clinic-of.ts';
import type { Store } from './worker.ts';

export const runtime: 'node' | 'workers' = 'workers';

type StoreCalls = Pick<Store, 'runStep' | 'migrate' | 'empty' | 'readSchema'>;

/** One object for all tests of a process, which is emptied for each. */
const store = () => {
  const { STORE } = env as unknown as {
    STORE: { idFromName(name: string): object; get(id: object): StoreCalls };
  };
  return STORE.get(STORE.idFromName('tests'));
};

const open = (): Db => openCalled({ runStep: async (calls) => store().runStep(calls) });

let made: { schema: string; emptying: { sql: string; values: [] }[] } | null = null;

const migrate = async (): Promise<void> => {
  await store().empty();
  await store().migrate();
  const schema = await store().readSchema();
  const tables = (JSON.parse(schema) as { type: string; name: string }[]).filter(
    ({ type, name }) => type === 'table' && !/^sqlite_|^__drizzle_migrations$/.test(name),
  );
  const statements = [
    'pragma defer_foreign_keys = on',
    ...tables.map(({ name }) => `delete from "${name}"`),
    'delete from sqlite_sequence',
  ];
  made = { schema, emptying: statements.map((sql) => ({ sql, values: [] })) };
};

const isEmptied = async (): Promise<boolean> => {
  if (made === null) return false;
  try {
    await store().runStep(made.emptying);
  } catch {
    return false;
  }
  // A test may have broken the tables.
  return (await store().readSchema()) === made.schema;
};

/** An empty, migrated database: it is made once, and emptied for each test. */
export const freshDatabase = async (): Promise<Db> => {
  if (!(await isEmptied())) await migrate();
  return open();
};

/** An empty archive: one object for all tests of a process, as a clinic's object has one. */
export const freshArchive = async (): Promise<Db> => {
  const archive = () => {
    const found = archiveOf(env as unknown as ObjectBindings, { id: 'tests', timeZone: 'Asia/Jakarta' });
    if (found === undefined) throw new Error('The archives have no binding.');
    return found;
  };
  await archive().erase();
  return openCalled({ runStep: async (calls) => archive().runStep(calls) });
};

/** The first migration, which is released and never changes. */
export const foundation = (): string[] => [...(ofClinics[0]?.statements ?? [])];

/** A database as the release that ended with this migration made it, filled by these statements, and then migrated by this version. */
export const standingDatabase = async (fill: readonly string[], release = '0000_foundation'): Promise<Db> => {
  made = null;
  await store().empty();
  await store().migrate(ofClinics.filter(({ name }) => name <= release));
  const statements = ['pragma defer_foreign_keys = on', ...fill];
  await store().runStep(statements.map((sql) => ({ sql, values: [] })));
  await store().migrate();
  return open();
};

export const closeDatabases = async (): Promise<void> => {};

/** The steps of a statement's query plan. */
export const explainQuery = async (_db: Db, sql: string, params: unknown[]): Promise<string[]> => {
  const [answer] = await store().runStep([{ sql: `explain query plan ${sql}`, values: params }]);
  return (answer?.results ?? []).map((step) => (step as { detail: string }).detail);
};
