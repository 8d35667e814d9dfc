import type { InArgs, InStatement, InValue, ResultSet, Row, Value } from '@libsql/client';

/** A statement whose arguments are checked and copied, ready for the driver. */
export type BoundStatement = { sql: string; args: unknown[] | Record<string, unknown> };

const minInteger = -(2n ** 63n);
const maxInteger = 2n ** 63n - 1n;

const toDriver = (value: InValue | undefined): unknown => {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value;
    throw new RangeError('Only finite numbers (not Infinity or NaN) can be passed as arguments');
  }
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'bigint') {
    if (value >= minInteger && value <= maxInteger) return value;
    throw new RangeError('bigint is too large to be passed as a 64-bit integer argument');
  }
  if (value instanceof Date) return toDriver(value.valueOf());
  if (value instanceof ArrayBuffer) return Buffer.from(value);
  if (value instanceof Uint8Array) return value;
  // The driver aborts the whole process on a type that it does not know.
  throw new TypeError(`${typeof value} cannot be passed as argument to the database`);
};

const toArgs = (args: InArgs | undefined): BoundStatement['args'] => {
  if (!args) return [];
  if (Array.isArray(args)) return args.map(toDriver);
  const named: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(args)) named[name.replace(/^[@$:]/, '')] = toDriver(value);
  return named;
};

/** Checks and copies a statement's arguments; throws on what SQLite cannot store. */
export const bind = (statement: InStatement | [string, InArgs?]): BoundStatement => {
  if (typeof statement === 'string') return { sql: statement, args: [] };
  if (Array.isArray(statement)) return { sql: statement[0], args: toArgs(statement[1]) };
  return { sql: statement.sql, args: toArgs(statement.args) };
};

const fromBuffer = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

const fromColumn = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return fromBuffer(value);
  // Integers arrive as doubles: beyond 2^53 digits are already lost.
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value as number) <= 2 ** 63)
    throw new RangeError('Received integer which cannot be safely represented as a JavaScript number');
  return value;
};

/** The indexes of the columns that a row also offers by name; of two equal names the first wins. */
const namedColumns = (columns: readonly string[]): [name: string, index: number][] => {
  const places = new Map<string, number>();
  columns.forEach((name, index) => {
    const taken = name === 'length' || /^\d+$/.test(name);
    if (!taken && !places.has(name)) places.set(name, index);
  });
  return [...places];
};

/** Converts a raw row to JavaScript values, in place. */
export const shapeValues = (raw: unknown[]): unknown[] => {
  for (let i = 0; i < raw.length; i++) {
    const value = raw[i];
    if (typeof value === 'object' || typeof value === 'number') raw[i] = fromColumn(value);
  }
  return raw;
};

const nameValues = (raw: unknown[], names: readonly [string, number][]): Row => {
  // The row is this same array, with its names added here.
  const row = raw as unknown as Record<string, Value> & Row;
  for (const [name, index] of names) row[name] = raw[index] as Value;
  return row;
};

const jsonValue = (value: Value): unknown => {
  if (typeof value === 'bigint') return value.toString();
  return value instanceof ArrayBuffer ? Buffer.from(value).toString('base64') : value;
};

/** The parts of a result: plain values. */
export interface ResultParts {
  columns: string[];
  columnTypes: string[];
  rawRows: unknown[][];
  rowsAffected: number;
  lastInsertRowid: bigint | undefined;
}

class EmbeddedResult implements ResultSet {
  readonly columns: string[];
  readonly columnTypes: string[];
  readonly rowsAffected: number;
  readonly lastInsertRowid: bigint | undefined;
  /** The rows as arrays without names. */
  readonly rawRows: unknown[][];
  #rows: Row[] | undefined;

  constructor(parts: ResultParts) {
    this.columns = parts.columns;
    this.columnTypes = parts.columnTypes;
    this.rowsAffected = parts.rowsAffected;
    this.lastInsertRowid = parts.lastInsertRowid;
    this.rawRows = parts.rawRows;
  }

  // Adding names costs as much as reading the values, and this service's statements never use them.
  get rows(): Row[] {
    if (this.#rows === undefined) {
      const names = namedColumns(this.columns);
      this.#rows = this.rawRows.map((raw) => nameValues(raw, names));
    }
    return this.#rows;
  }

  toJSON(): unknown {
    const { columns, columnTypes, rowsAffected } = this;
    const rows = this.rows.map((row) => Array.prototype.map.call(row, jsonValue));
    return {
      columns,
      columnTypes,
      rows,
      rowsAffected,
      lastInsertRowid: this.lastInsertRowid?.toString() ?? null,
    };
  }
}

/** The result of a statement, as `ResultSet` of @libsql/client describes it. */
export const resultSet = (parts: ResultParts): ResultSet => new EmbeddedResult(parts);
