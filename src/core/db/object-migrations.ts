import type { ObjectStorage } from './object.ts';

export interface ObjectMigration {
  name: string;
  madeAt: number;
  hash: string;
  statements: readonly string[];
}

/** The tables of an object are of a newer version, or not those of this service. */
class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch';
}

// As drizzle's migrator notes them in a file.
const table = '__drizzle_migrations';

/** Applies the migrations that an object's database lacks, each in one atomic step. Throws `SchemaMismatch`. */
export const migrateObject = (storage: ObjectStorage, migrations: readonly ObjectMigration[]): void => {
  const { sql } = storage;
  sql
    .exec(
      `create table if not exists ${table} (id integer primary key, hash text not null, created_at numeric)`,
    )
    .toArray();
  const applied = sql
    .exec(`select created_at as made_at from ${table} order by created_at`)
    .toArray()
    .map((row) => Number(row.made_at));
  const known = migrations.map(({ madeAt }) => madeAt);
  if (applied.some((at) => !known.includes(at))) {
    const isNewer = applied.some((at) => at > Math.max(...known));
    throw new SchemaMismatch(
      isNewer ? 'its database was made by a newer version' : "its database is not this service's",
    );
  }
  for (const { madeAt, hash, statements } of migrations.filter((one) => !applied.includes(one.madeAt)))
    storage.transactionSync(() => {
      sql.exec('pragma defer_foreign_keys = on').toArray();
      // To its end: the next statement that changes tables finds none of them locked.
      for (const statement of statements) sql.exec(statement).toArray();
      sql.exec(`insert into ${table} (hash, created_at) values (?, ?)`, hash, madeAt).toArray();
    });
};
