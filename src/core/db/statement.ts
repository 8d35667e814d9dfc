import { type Placeholder, type Query, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Db, Statement } from './db.ts';
import { type RowMapper, rowMapper, valueFiller } from './statement-plan.ts';

type Value = string | number | null;
type Values = Readonly<Record<string, Value>>;

/** The part of a query that drizzle's batches need; only D1 uses `stmt`. */
interface Prepared {
  stmt?: unknown;
  getQuery(): Query;
  mapResult(result: unknown, isFromBatch: boolean): unknown;
}

interface Plan {
  prepared: Prepared;
  query: Query;
  fill: (values: Values) => unknown[];
  mapRows: RowMapper | null;
}

/** Drizzle's handle on the D1 database, or on the session, that it was created with. */
interface D1Client {
  $client: { prepare(sql: string): unknown };
}

/** One call of a statement. Drizzle's batch accepts only unbuilt queries, so this imitates one through `_prepare`. */
class Filled implements Prepared {
  readonly #db: object;
  readonly #plan: Plan;
  readonly #values: Values;

  constructor(db: Db, plan: Plan, values: Values) {
    this.#db = db;
    this.#plan = plan;
    this.#values = values;
  }

  /** Only D1's batch uses this. It must belong to this database; the plan may have been built with another one. */
  get stmt(): unknown {
    return (this.#db as D1Client).$client.prepare(this.#plan.query.sql);
  }

  _prepare(): this {
    return this;
  }

  getQuery(): Query {
    const { query, fill } = this.#plan;
    return { sql: query.sql, params: fill(this.#values) };
  }

  mapResult(result: unknown, isFromBatch: boolean): unknown {
    const { prepared, mapRows } = this.#plan;
    return mapRows?.(result) ?? prepared.mapResult(result, isFromBatch);
  }
}

/** Declares a value that is passed in when the statement runs. */
export type Named<K extends string> = (name: K) => Placeholder<K, Value>;

/** Both drivers return a batch's rows keyed by column, so two columns of one name would shift each other's values. */
const refuseTwinColumns = (prepared: Prepared & { fields?: unknown }): void => {
  const fields = prepared.fields as { field: { name?: string; fieldAlias?: string } }[] | undefined;
  const names = fields?.map(({ field }) => field.fieldAlias ?? field.name);
  const twin = names?.find((name, at) => name !== undefined && names.indexOf(name) !== at);
  if (twin !== undefined) throw new Error(`Two selected columns are named "${twin}": give one an alias.`);
};

/** Puts the number of rows, which drizzle binds, into the text: there is one value less to bind, and `limit 1` can be seen. */
const withRowCount = ({ sql: text, params }: Query): Query => {
  const last = params.at(-1);
  if (typeof last !== 'number' || !text.endsWith(' limit ?')) return { sql: text, params };
  return { sql: `${text.slice(0, -1)}${last}`, params: params.slice(0, -1) };
};

/** Drizzle's own batch calls `_prepare`, but its types do not declare it. */
const buildPlan = (built: BatchItem<'sqlite'>): Plan => {
  const prepared = (built as unknown as { _prepare(): Prepared })._prepare();
  refuseTwinColumns(prepared);
  const query = withRowCount(prepared.getQuery());
  return { prepared, query, fill: valueFiller(query.params), mapRows: rowMapper(prepared) };
};

/**
 * Builds a query once for each kind of database (drizzle's class for libSQL or for D1), however many databases are open.
 * Each call only fills in the values and returns a statement for a batch.
 */
export const statement = <K extends string, B extends BatchItem<'sqlite'>>(
  build: (db: Db, named: Named<K>) => B,
): ((db: Db, values: Readonly<Record<K, Value>>) => Statement<B['_']['result']>) => {
  const planBy = new Map<object, Plan>();
  let lastKind: object | undefined;
  let lastPlan: Plan | undefined;
  const planFor = (kind: object, db: Db): Plan => {
    const plan = planBy.get(kind) ?? buildPlan(build(db, (name) => sql.placeholder(name)));
    planBy.set(kind, plan);
    lastKind = kind;
    lastPlan = plan;
    return plan;
  };
  return (db, values) => {
    const kind = Object.getPrototypeOf(db);
    // Nearly always there is one kind, and a comparison costs less than a look-up.
    const plan = lastKind === kind && lastPlan !== undefined ? lastPlan : planFor(kind, db);
    // Safe: `mapResult` comes from the query that `build` made, so both have the same result.
    return new Filled(db, plan, values) as unknown as Statement<B['_']['result']>;
  };
};

/** The name in SQL of a value that TypeScript calls `startsAt`: `starts_at`. */
const sqlName = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const joinColumns = (names: readonly string[]): SQL =>
  sql.join(
    names.map((name) => sql.identifier(sqlName(name))),
    sql`, `,
  );

/** The table `r` of a `rowStatement` or `rowsStatement`, for a `with`, and its columns. */
export interface Row<K extends string> extends SQL {
  columns: Readonly<Record<K, SQL>>;
}

const withColumns = <K extends string>(names: readonly K[], table: SQL): Row<K> => {
  const columns = names.map((name) => [name, sql.raw(`r.${sqlName(name)}`)]);
  return Object.assign(table, { columns: Object.fromEntries(columns) as Record<K, SQL> });
};

/**
 * A statement whose values are columns of the one-row table `r`: each is bound once, however often conditions use it.
 * `startsAt` becomes `r.starts_at`. `row` is `r(…) as (values (…))`, for a `with`.
 */
export const rowStatement = <const K extends string, B extends BatchItem<'sqlite'>>(
  names: readonly K[],
  build: (db: Db, row: Row<K>) => B,
) =>
  statement((db, named: Named<K>) => {
    const values = sql.join(
      names.map((name) => sql`${named(name)}`),
      sql`, `,
    );
    return build(db, withColumns(names, sql`r(${joinColumns(names)}) as (values (${values}))`));
  });

/** The same for any number of rows in one round trip: they are bound as one value, since D1 binds a hundred at most. */
export const rowsStatement = <const K extends string, B extends BatchItem<'sqlite'>>(
  names: readonly K[],
  build: (db: Db, row: Row<K>) => B,
) => {
  const values = sql.raw(names.map((_, at) => `j.value ->> ${at}`).join(', '));
  const filled = statement((db, named: Named<'rows'>) =>
    build(
      db,
      withColumns(
        names,
        sql`r(${joinColumns(names)}) as materialized (select ${values} from json_each(${named('rows')}) j)`,
      ),
    ),
  );
  return (db: Db, rows: readonly Readonly<Record<K, Value>>[]) =>
    filled(db, { rows: JSON.stringify(rows.map((row) => names.map((name) => row[name]))) });
};
