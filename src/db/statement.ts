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

/** One call of a statement. Drizzle's batch takes unbuilt queries alone, so this poses as one by its `_prepare`. */
class Filled implements Prepared {
  readonly #plan: Plan;
  readonly #values: Values;

  constructor(plan: Plan, values: Values) {
    this.#plan = plan;
    this.#values = values;
  }

  get stmt(): unknown {
    return this.#plan.prepared.stmt;
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

/** Builds a query once per database; each call then only fills in the values. The result goes into a batch. */
export const statement = <K extends string, B extends BatchItem<'sqlite'>>(
  build: (db: Db, named: Named<K>) => B,
): ((db: Db, values: Readonly<Record<K, Value>>) => Statement<B['_']['result']>) => {
  const planBy = new WeakMap<Db, Plan>();
  return (db, values) => {
    let plan = planBy.get(db);
    if (plan === undefined) {
      plan = planOf(build(db, (name) => sql.placeholder(name)));
      planBy.set(db, plan);
    }
    // Its `mapResult` is that of the query which `build` made, so it gives what that gives.
    return new Filled(plan, values) as unknown as Statement<B['_']['result']>;
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
