import { openD1 } from './d1.ts';
import type { Db } from './db.ts';
import { readsOnly } from './transient.ts';

/** A statement on its way to an object's storage, with its values. */
export interface Call {
  sql: string;
  values: readonly unknown[];
  /** Rows as lists of values in place of records. */
  raw?: boolean;
}

/** What D1 answers for a statement, as far as the service reads it. */
export interface Answer {
  success: true;
  results: unknown[];
  meta: { changes: number };
}

interface Cursor {
  toArray(): Record<string, unknown>[];
  raw(): Iterable<unknown[]>;
}

/** The storage of a Durable Object with SQLite, as far as statements need it. */
export interface ObjectStorage {
  sql: { exec(sql: string, ...values: unknown[]): Cursor };
  transactionSync<T>(work: () => T): T;
}

/** D1 takes a boolean for a number; an object's storage takes it for a text. */
const bound = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value);

const execute = ({ sql }: ObjectStorage, { sql: text, values, raw }: Call): Answer => {
  const cursor = sql.exec(text, ...values.map(bound));
  // To its end: a cursor that is left open locks its table.
  const results = raw ? [...cursor.raw()] : cursor.toArray();
  const [changed] = readsOnly(text) ? [] : sql.exec('select changes() as n').toArray();
  return { success: true, results, meta: { changes: Number(changed?.n ?? 0) } };
};

/** Runs statements in one atomic step. */
export const executeAll = (storage: ObjectStorage, calls: readonly Call[]): Answer[] =>
  storage.transactionSync(() => calls.map((call) => execute(storage, call)));

/** Whether one of these statements may write. */
export const mayWrite = (calls: readonly Call[]): boolean => calls.some(({ sql }) => !readsOnly(sql));

/** The part of D1 that the service uses, over anything that runs statements in one atomic step. */
const d1Over = (send: (calls: readonly Call[]) => Promise<Answer[]>) => {
  const calls = new WeakMap<object, Call>();
  const sendOne = async (call: Call): Promise<Answer> => {
    const [answer] = await send([call]);
    if (answer === undefined) throw new Error('A statement was not answered.');
    return answer;
  };
  const prepare = (sql: string, values: readonly unknown[] = []): object => {
    const call = { sql, values };
    const all = () => sendOne(call);
    const statement = {
      bind: (...next: unknown[]) => prepare(sql, next),
      all,
      run: all,
      raw: async () => (await sendOne({ ...call, raw: true })).results,
      first: async () => (await sendOne(call)).results[0] ?? null,
    };
    calls.set(statement, call);
    return statement;
  };
  return {
    prepare,
    batch: (statements: readonly object[]) => send(statements.map((one) => calls.get(one) as Call)),
  } as unknown as D1Database;
};

/** What an object does before a step. */
interface Steps {
  /** Resolves when a step may begin; undefined where it may at once. */
  mayBegin?: (calls: readonly Call[]) => Promise<void> | undefined;
  /** Called in the same moment as the step, so that what it sets in the storage is one step with it. */
  begins?: (calls: readonly Call[]) => void;
}

/** The database of an object, for code that runs in it. */
export const openObject = (storage: ObjectStorage, { mayBegin, begins }: Steps = {}): Db =>
  openD1(
    d1Over(async (calls) => {
      const held = mayBegin?.(calls);
      if (held !== undefined) await held;
      begins?.(calls);
      return executeAll(storage, calls);
    }),
  );

/** The database of an object that is elsewhere, and runs steps for others. */
export const openCalled = (object: { runStep(calls: readonly Call[]): Promise<Answer[]> }): Db =>
  openD1(d1Over((calls) => object.runStep(calls)));
