import { getTableColumns } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import * as z from 'zod/mini';
import { described } from '../endpoint/fields.ts';

/** A field of a record, as people read and write it. */
interface Field {
  /** The shape of what is written. */
  write: () => z.ZodMiniType;
  /** What a new record has where the field is left out; without it the field is required. */
  otherwise?: string | number | null;
  /** The shape of what is answered; text unless set. */
  answer?: () => z.ZodMiniType;
  /** Whether everybody sees it. */
  isPublic?: true;
  /** Whether the record is found by its words. */
  isSearched?: true;
  meaning: string;
  /** Unless its shape has one. */
  example?: unknown;
}

/** `phoneNumber` of a table is `phone_number` of the interface. */
type Snake<S extends string> = S extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : S;

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

type Names<F> = keyof F & string;
type Written<F extends Field> = ReturnType<F['write']>;
type Answered<F extends Field> = F extends { answer: () => infer A extends z.ZodMiniType }
  ? A
  : z.ZodMiniString;

type Create<F extends Record<string, Field>> = {
  [K in Names<F> as Snake<K>]: 'otherwise' extends keyof F[K]
    ? z.ZodMiniDefault<Written<F[K]>>
    : Written<F[K]>;
};
type Change<F extends Record<string, Field>> = {
  [K in Names<F> as Snake<K>]: z.ZodMiniOptional<Written<F[K]>>;
};
type Answer<F extends Record<string, Field>> = { [K in Names<F> as Snake<K>]: Answered<F[K]> };
type PublicNames<F extends Record<string, Field>> = {
  [K in Names<F>]: F[K] extends { isPublic: true } ? K : never;
}[Names<F>];

/** The fields of a row by their names in the interface. */
type Wired<R, K extends keyof R & string> = { [N in K as Snake<N>]: R[N] };

/**
 * One declaration of a record's fields over its table, from which everything else derives: the shapes of what is made,
 * changed and answered, the row that is inserted, the row after a change, what is shown, and the words by which it is
 * found. `own` names the columns that are the service's: a column that is neither declared nor named there does not compile.
 */
export const recordFields = <
  T extends SQLiteTable,
  const Own extends keyof T['$inferSelect'] & string,
  const F extends Record<Exclude<keyof T['$inferSelect'] & string, Own>, Field>,
>(
  table: T,
  _own: readonly Own[],
  fields: F,
) => {
  type Row = T['$inferSelect'];
  type Declared = Names<F> & keyof Row & string;
  const columns = getTableColumns(table);
  const all = Object.entries<Field>(fields).map(([name, field]) => ({ name, wire: snake(name), ...field }));
  const shape = (make: (field: (typeof all)[number]) => z.ZodMiniType, of = all) =>
    Object.fromEntries(of.map((field) => [field.wire, make(field)]));
  const said = (schema: z.ZodMiniType, { meaning, example }: Field) =>
    described(schema, meaning, example === undefined ? {} : { example });
  const answer = (field: Field) => said((field.answer ?? z.string)(), field);
  const publicOnes = all.filter(({ isPublic }) => isPublic);
  const wired = (row: Row, of: typeof all) =>
    Object.fromEntries(of.map(({ name, wire }) => [wire, row[name]]));
  return {
    names: all.map(({ name }) => name) as Declared[],
    /** What is given to make a record. */
    create: () =>
      shape((field) => {
        const written = said(field.write(), field);
        return field.otherwise === undefined ? written : z._default(written, field.otherwise);
      }) as Create<F>,
    /** What is given to change one: what is left out stays. */
    change: () => shape((field) => z.optional(said(field.write(), field))) as Change<F>,
    answer: () => shape(answer) as Answer<F>,
    publicAnswer: () => shape(answer, publicOnes) as Pick<Answer<F>, Snake<PublicNames<F>> & keyof Answer<F>>,
    /** The columns of a new row. */
    columns: (input: Wired<Row, Declared>): Pick<Row, Declared> =>
      Object.fromEntries(all.map(({ name, wire }) => [name, input[wire as keyof typeof input]])) as Pick<
        Row,
        Declared
      >,
    /** The row after a change. */
    changed: <R extends Row>(row: R, input: { [N in Declared as Snake<N>]?: Row[N] | undefined }): R => ({
      ...row,
      ...Object.fromEntries(
        all.flatMap(({ name, wire }) => {
          const given = input[wire as keyof typeof input];
          return given === undefined ? [] : [[name, given]];
        }),
      ),
    }),
    view: (row: Row) => wired(row, all) as Wired<Row, Declared>,
    publicView: (row: Row) => wired(row, publicOnes) as Wired<Row, PublicNames<F> & Declared>,
    /** The columns that everybody sees, by their names in the interface. */
    publicColumns: Object.fromEntries(publicOnes.map(({ name, wire }) => [wire, columns[name]])) as {
      [N in PublicNames<F> & Declared as Snake<N>]: T['_']['columns'][N];
    },
    /** The text by whose words a record is found. */
    searched: (row: { [N in Declared]?: Row[N] | undefined }): string =>
      all
        .filter(({ isSearched }) => isSearched)
        .map(({ name }) => row[name as Declared] ?? '')
        .join(' '),
  };
};
