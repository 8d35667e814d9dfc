import { type Placeholder, type Query, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Db, Statement } from './db.ts';
import { type RowMapper, rowMapper, valueFiller } from './statement-plan.ts';

type Value = string | number | null;
type Values = Readonly<Record<string, Value>>;

/** What drizzle's batches ask of a query that they run; `stmt` is D1's. */
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

/** What D1's drizzle keeps of the database, or of the session with it, that it was given. */
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

  /** D1's batch alone asks for it, and only its own database's statement runs there: the plan's may be another's. */
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
const planOf = (built: BatchItem<'sqlite'>): Plan => {
  const prepared = (built as unknown as { _prepare(): Prepared })._prepare();
  refuseTwinColumns(prepared);
  const query = prepared.getQuery();
  return { prepared, query, fill: valueFiller(query.params), mapRows: rowMapper(prepared) };
};

/**
 * Builds a query once for each kind of database (its drizzle class: libSQL's, D1's), however many are open; each call
 * then only fills in the values. The result goes into a batch.
 */
export const statement = <K extends string, B extends BatchItem<'sqlite'>>(
  build: (db: Db, named: Named<K>) => B,
): ((db: Db, values: Readonly<Record<K, Value>>) => Statement<B['_']['result']>) => {
  const planBy = new WeakMap<object, Plan>();
  return (db, values) => {
    const kind = Object.getPrototypeOf(db);
    let plan = planBy.get(kind);
    if (plan === undefined) {
      plan = planOf(build(db, (name) => sql.placeholder(name)));
      planBy.set(kind, plan);
    }
    // Its `mapResult` is that of the query which `build` made, so it gives what that gives.
    return new Filled(db, plan, values) as unknown as Statement<B['_']['result']>;
  };
};

/** The name in SQL of a value that TypeScript calls `startsAt`: `starts_at`. */
export const sqlName = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * A statement whose values all stand in the one-row table `r`, so that each is bound once however often the
 * conditions name it: `startsAt` is `r.starts_at` there. `row` is `r(…) as (values (…))`, for a `with`.
 */
export const rowStatement = <const K extends string, B extends BatchItem<'sqlite'>>(
  names: readonly K[],
  build: (db: Db, row: SQL) => B,
) =>
  statement((db, named: Named<K>) => {
    const columns = sql.join(
      names.map((name) => sql.identifier(sqlName(name))),
      sql`, `,
    );
    const values = sql.join(
      names.map((name) => sql`${named(name)}`),
      sql`, `,
    );
    return build(db, sql`r(${columns}) as (values (${values}))`);
  });
