import type { ObjectStorage } from '../object.ts';

/** The table in which a database that is being restored notes how far that is. */
export const restoringTable = '__janji_restoring';

/** The names of the service's own tables: those of SQLite, the migrator and the platform, here or on a developer's machine, are not. */
const ownTables = `select name from sqlite_master where type = 'table' and name not glob 'sqlite_*' and name not glob '_*'
  order by name`;

export const listTables = ({ sql }: ObjectStorage): string[] =>
  sql
    .exec(ownTables)
    .toArray()
    .map(({ name }) => String(name));

export const listColumns = ({ sql }: ObjectStorage, table: string): string[] =>
  sql
    .exec('select name from pragma_table_info(?) order by cid', table)
    .toArray()
    .map(({ name }) => String(name));

/** The service's tables; each comes after the tables that its rows refer to. */
export const tablesInOrder = (storage: ObjectStorage): string[] => {
  const names = listTables(storage);
  const ordered: string[] = [];
  const place = (name: string): void => {
    if (ordered.includes(name)) return;
    const targets = storage.sql
      .exec('select "table" as target from pragma_foreign_key_list(?)', name)
      .toArray();
    for (const { target } of targets) if (target !== name) place(String(target));
    ordered.push(name);
  };
  names.forEach(place);
  return ordered;
};

/** The hashes of the migrations that were applied, the oldest first. */
export const appliedMigrations = ({ sql }: ObjectStorage): string[] =>
  sql
    .exec('select hash from __drizzle_migrations order by created_at, id')
    .toArray()
    .map(({ hash }) => String(hash));

/** How many lines of a copy a database holds whose restoring has not ended; null where none is under way. */
export const restoredLines = ({ sql }: ObjectStorage): number | null => {
  const [table] = sql.exec('select 1 from sqlite_master where name = ?', restoringTable).toArray();
  if (table === undefined) return null;
  const [row] = sql.exec(`select lines from ${restoringTable}`).toArray();
  return Number(row?.lines ?? 0);
};
