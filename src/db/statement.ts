import { fillPlaceholders, type Placeholder, type Query, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Db, Statement } from './db.ts';

type Value = string | number | null;
type Prepared = { getQuery(): Query };

/** Names a value that is given when the statement runs. */
export type Named<K extends string> = (name: K) => Placeholder<K, Value>;

/** Both drivers return a batch's rows keyed by column, so two columns of one name would shift each other's values. */
const refuseTwinColumns = (prepared: Prepared & { fields?: unknown }): void => {
  const fields = prepared.fields as { field: { name?: string; fieldAlias?: string } }[] | undefined;
  const names = fields?.map(({ field }) => field.fieldAlias ?? field.name);
  const twin = names?.find((name, at) => name !== undefined && names.indexOf(name) !== at);
  if (twin !== undefined) throw new Error(`Two selected columns are named "${twin}": give one an alias.`);
};

/** Drizzle leaves this method, which its own batch calls, out of the types. */
const prepare = (built: BatchItem<'sqlite'>): Prepared => {
  const prepared = (built as unknown as { _prepare(): Prepared })._prepare();
  refuseTwinColumns(prepared);
  return prepared;
};

/**
 * Builds a query once per database; each call then only fills in the values. The result goes into a batch.
 * Drizzle's batch takes unbuilt queries alone, so a filled one poses as one by its `_prepare`.
 */
export const statement = <K extends string, B extends BatchItem<'sqlite'>>(
  build: (db: Db, named: Named<K>) => B,
): ((db: Db, values: Readonly<Record<K, Value>>) => Statement<B['_']['result']>) => {
  const preparedBy = new WeakMap<Db, Prepared>();
  return (db, values) => {
    let prepared = preparedBy.get(db);
    if (prepared === undefined) {
      prepared = prepare(build(db, (name) => sql.placeholder(name)));
      preparedBy.set(db, prepared);
    }
    const query = prepared.getQuery();
    const filled: Prepared = Object.create(prepared);
    filled.getQuery = () => ({ ...query, params: fillPlaceholders(query.params, values) });
    return { _prepare: () => filled } as unknown as Statement<B['_']['result']>;
  };
};

/**
 * A statement whose values all stand in the one-row table `r(names…)`, so that each is bound once however often
 * its conditions name it. `row` is `r(…) as (values (…))`, for a `with`.
 */
export const rowStatement = <const K extends string, B extends BatchItem<'sqlite'>>(
  names: readonly K[],
  build: (db: Db, row: SQL) => B,
) =>
  statement((db, named: Named<K>) => {
    const columns = sql.join(
      names.map((name) => sql.identifier(name)),
      sql`, `,
    );
    const values = sql.join(
      names.map((name) => sql`${named(name)}`),
      sql`, `,
    );
    return build(db, sql`r(${columns}) as (values (${values}))`);
  });
