import { Column, is, noopDecoder, Param, Placeholder, SQL } from 'drizzle-orm';

type Decoder = { mapFromDriverValue(value: unknown): unknown };
type Fill = (values: Readonly<Record<string, unknown>>) => unknown;

const named = (values: Readonly<Record<string, unknown>>, name: string): unknown => {
  const value = values[name];
  if (value === undefined && !(name in values))
    throw new Error(`No value for placeholder "${name}" was provided`);
  return value;
};

const buildFill = (param: unknown): Fill => {
  if (is(param, Placeholder)) return (values) => named(values, param.name);
  if (is(param, Param) && is(param.value, Placeholder)) {
    const { encoder, value } = param;
    return (values) => encoder.mapToDriverValue(named(values, value.name));
  }
  return () => param;
};

/** Does what drizzle's fillPlaceholders does, but decides the kind of each parameter only once. */
export const valueFiller = (params: readonly unknown[]): ((values: Parameters<Fill>[0]) => unknown[]) => {
  const fills = params.map(buildFill);
  return (values) => fills.map((fill) => fill(values));
};

export type RowMapper = (result: unknown) => unknown[] | null;

const findDecoder = (field: unknown): Decoder => {
  if (is(field, Column)) return field;
  const source = is(field, SQL.Aliased) ? field.sql : field;
  return (source as { decoder: Decoder }).decoder;
};

const identity = new Set<unknown>([Column.prototype.mapFromDriverValue, noopDecoder.mapFromDriverValue]);

/** Whether a decoder makes another value of the driver's: most do not, and each call costs. */
const changes = ({ mapFromDriverValue }: Decoder): boolean => !identity.has(mapFromDriverValue);

type Selected = { path: string[]; field: unknown };

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/**
 * Maps libSQL's row arrays to objects as drizzle does, but decides the kind of each field only once. Null where
 * drizzle must do it: D1's rows, blobs, nested selections, statements that return no rows.
 */
export const rowMapper = (prepared: object): RowMapper | null => {
  const { fields, customResultMapper, executeMethod } = prepared as Record<string, unknown>;
  const selected = fields as Selected[] | undefined;
  if (selected === undefined || customResultMapper !== undefined || executeMethod !== 'all') return null;
  if (selected.some(({ path }) => path.length !== 1)) return null;
  const names = selected.map(({ path }) => path[0] as string);
  const decoders = selected
    .map(({ field }) => findDecoder(field))
    .map((each) => (changes(each) ? each : null));
  // Copied whole, which costs less than to add one field after the other.
  const empty: Record<string, unknown> = Object.fromEntries(names.map((name) => [name, null]));
  const mapRow = (row: readonly unknown[]): Record<string, unknown> => {
    const mapped = { ...empty };
    for (let at = 0; at < names.length; at++) {
      const value = row[at];
      const decoder = decoders[at];
      mapped[names[at] as string] =
        value === null || decoder == null ? value : decoder.mapFromDriverValue(value);
    }
    return mapped;
  };
  return (result) => {
    const rows = (result as { rawRows?: unknown[][] }).rawRows;
    if (rows === undefined || rows.some((row) => row.some(isObject))) return null;
    return rows.map(mapRow);
  };
};
