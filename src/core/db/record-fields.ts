import { getTableColumns } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import * as z from 'zod/mini';
import { described, utcInstant } from '../endpoint/fields.ts';
import { isoOrNull, toIso } from '../endpoint/instants.ts';

type Make = () => z.ZodMiniType;

/**
 * A field of a record that people read and write. A field without a column of the same name has only a shape: its value
 * is computed or sealed by code of the record.
 */
// biome-ignore lint/suspicious/noExplicitAny: of any column, unless it is named.
interface Field<Stored = any, Given = any> {
  /** Its shape for input and answers; or one for each, if they differ or the field has only one of them. */
  shape?: Make;
  write?: Make;
  answer?: Make;
  /** How a value is stored, and how a stored value is shown, where that differs. */
  store?: (given: Given) => Stored;
  show?: (stored: Stored) => unknown;
  /** The value of a new record if the field is omitted; without a default the field is required. */
  otherwise?: string | number | null | readonly [] | Readonly<Record<string, never>>;
  /** The value of a record without the field: it may be left out of a new record, and null clears it. */
  without?: '' | null;
  isPublic?: true;
  /** Whether the record is found by its words. */
  isSearched?: true;
  /** Unless its shapes say it themselves, or the glossary does. */
  meaning?: string;
  example?: unknown;
}

/** An instant that the service writes. */
export const shownInstant = { answer: utcInstant, show: toIso };
export const shownInstantOrNull = { answer: () => z.nullable(utcInstant()), show: isoOrNull };

/** `phoneNumber` of a table is `phone_number` of the interface. */
type Snake<S extends string> = S extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : S;

/** The name in the interface of a column. */
export const snake = <S extends string>(name: S) =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as Snake<S>;

type Side = 'write' | 'answer';
type Fields = Record<string, Field>;
type Shape<F, S extends Side> =
  F extends Record<S, () => infer Own extends z.ZodMiniType>
    ? Own
    : F extends { shape: () => infer Both extends z.ZodMiniType }
      ? Both
      : never;
/** The names of the fields that are written, or answered. */
type Names<F extends Fields, S extends Side> = {
  [K in keyof F & string]: [Shape<F[K], S>] extends [never] ? never : K;
}[keyof F & string];
type PublicNames<F extends Fields> = {
  [K in keyof F & string]: F[K] extends { isPublic: true } ? K : never;
}[keyof F & string];

type Created<F, S extends z.ZodMiniType> = 'otherwise' extends keyof F
  ? z.ZodMiniDefault<S>
  : 'without' extends keyof F
    ? z.ZodMiniOptional<S>
    : S;
type Changed<F, S extends z.ZodMiniType> = z.ZodMiniOptional<
  F extends { without: null } ? z.ZodMiniNullable<S> : S
>;
type Create<F extends Fields> = { [K in Names<F, 'write'> as Snake<K>]: Created<F[K], Shape<F[K], 'write'>> };
type Change<F extends Fields> = { [K in Names<F, 'write'> as Snake<K>]: Changed<F[K], Shape<F[K], 'write'>> };
type Answer<F extends Fields, K extends Names<F, 'answer'> = Names<F, 'answer'>> = {
  [N in K as Snake<N>]: Shape<F[N], 'answer'>;
};

type Loose<T> = { [K in keyof T]?: T[K] | undefined };
type Given<F, V> = F extends { store: (given: infer G) => unknown } ? G : V;
type Shown<F, V> = F extends { show: (stored: never) => infer S } ? S : V;
type GivenRow<F extends Fields, R, K extends keyof R & keyof F & string> = {
  [N in K as Snake<N>]: Given<F[N], R[N]>;
};
type ShownRow<F extends Fields, R, K extends keyof R & keyof F & string> = {
  [N in K as Snake<N>]: Shown<F[N], R[N]>;
};
type Wired<T extends SQLiteTable, K extends keyof T['_']['columns'] & string> = {
  [N in K as Snake<N>]: T['_']['columns'][N];
};

const same = (value: unknown): unknown => value;

/**
 * One declaration of a record's fields over its table. Everything else derives from it: the shapes to create, change
 * and answer, the inserted row, the row after a change, the shown fields, and the search words. `own` names the columns
 * that the service sets itself: a column that is neither declared nor named there does not compile.
 */
export const recordFields = <
  T extends SQLiteTable,
  const Own extends keyof T['$inferSelect'] & string,
  const F extends { [K in Exclude<keyof T['$inferSelect'] & string, Own>]: Field<T['$inferSelect'][K]> },
>(
  table: T,
  _own: readonly Own[],
  fields: F,
) => {
  type Row = T['$inferSelect'];
  type Column = keyof Row & string;
  type Written = Names<F, 'write'> & Column;
  type Answered = Names<F, 'answer'> & Column;
  type Public = PublicNames<F> & Answered;
  const columns = getTableColumns(table);
  const all = Object.entries<Field>(fields).map(
    ([name, { shape, write = shape, answer = shape, ...field }]) => ({
      ...field,
      name,
      wire: snake(name),
      write,
      answer,
    }),
  );
  type One = (typeof all)[number];
  const stored = all.filter(({ name }) => name in columns);
  const [written, shown] = [stored.filter(({ write }) => write), stored.filter(({ answer }) => answer)];
  const publicOnes = all.filter(({ isPublic }) => isPublic);
  const publicShown = shown.filter(({ isPublic }) => isPublic);
  const shapes = (of: One[], side: Side, make = (shape: z.ZodMiniType, _field: One) => shape) =>
    Object.fromEntries(
      of.flatMap((field) => {
        const { wire, meaning, example } = field;
        const shape = field[side]?.();
        if (shape === undefined) return [];
        const more = example === undefined ? {} : { example };
        return [[wire, make(meaning === undefined ? shape : described(shape, meaning, more), field)]];
      }),
    );
  const view = (row: Readonly<Record<string, unknown>>, of: One[]): object =>
    Object.fromEntries(of.map(({ name, wire, show = same }) => [wire, show(row[name])]));
  const given = (input: Readonly<Record<string, unknown>>): object =>
    Object.fromEntries(
      written.flatMap(({ name, wire, store = same }) =>
        input[wire] === undefined ? [] : [[name, store(input[wire])]],
      ),
    );
  const columnsOf = (of: One[]): object =>
    Object.fromEntries(of.map(({ name, wire }) => [wire, columns[name]]));
  return {
    /** The columns that people write. */
    names: written.map(({ name }) => name) as Written[],
    /** The input that creates a record. */
    create: () =>
      shapes(all, 'write', (shape, { otherwise, without }) => {
        if (otherwise !== undefined) return z._default(shape, otherwise);
        return without === undefined ? shape : z.optional(shape);
      }) as Create<F>,
    /** The input that changes a record: a field that is left out stays. */
    change: () =>
      shapes(all, 'write', (shape, { without }) =>
        z.optional(without === null ? z.nullable(shape) : shape),
      ) as Change<F>,
    answer: () => shapes(all, 'answer') as Answer<F>,
    publicAnswer: () => shapes(publicOnes, 'answer') as Answer<F, PublicNames<F> & Names<F, 'answer'>>,
    columns: (input: GivenRow<F, Row, Written>) => given(input) as Pick<Row, Written>,
    /** The columns of a record that has nothing yet. */
    blank: Object.fromEntries(
      written.map(
        ({ name, store = same, otherwise, without = otherwise === undefined ? '' : store(otherwise) }) => [
          name,
          without,
        ],
      ),
    ) as Pick<Row, Written>,
    /** The columns that a change gives. */
    given: (input: Loose<GivenRow<F, Row, Written>>) => given(input) as Partial<Pick<Row, Written>>,
    changed: <R extends Pick<Row, Written>>(row: R, input: Loose<GivenRow<F, Row, Written>>): R => ({
      ...row,
      ...given(input),
    }),
    view: <R extends Pick<Row, Answered>>(row: R) => view(row, shown) as ShownRow<F, R, Answered>,
    publicView: <R extends Pick<Row, Public>>(row: R) => view(row, publicShown) as ShownRow<F, R, Public>,
    /** The columns that are shown, or public, by their names in the API. */
    shownColumns: columnsOf(shown) as Wired<T, Answered>,
    publicColumns: columnsOf(publicShown) as Wired<T, Public>,
    /** The text by whose words a record is found. */
    searched: (row: { [N in Written]?: Row[N] | undefined }): string =>
      all
        .filter(({ isSearched }) => isSearched)
        .map(({ name }) => row[name as Written] ?? '')
        .join(' '),
  };
};
