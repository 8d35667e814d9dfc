import * as z from 'zod/mini';
import { described, describedAs, instant, localDate, must, oneLine } from './fields.ts';
import { once } from './once.ts';

/** An integer in a query string, within bounds; one with more digits than a number can store exactly is refused. */
export const queryNumber = (min: number, max: number) =>
  describedAs(
    z.pipe(
      z.pipe(z.string().check(must((text) => /^\d{1,16}$/.test(text), 'wrong_type')), z.transform(Number)),
      z.int().check(z.minimum(min), z.maximum(max)),
    ),
    { type: 'integer', minimum: min, maximum: max },
  );

/** Several of these words in a query string: the parameter repeated, or one with commas between them. */
export const commaSeparated = <const W extends string>(words: readonly W[]) =>
  describedAs(
    z.pipe(
      z.pipe(
        z.pipe(
          z.unknown(),
          z.transform((given) => [
            ...new Set([given].flat().flatMap((text) => (typeof text === 'string' ? text.split(',') : ['']))),
          ]),
        ),
        z
          .array(z.string())
          .check(
            must(
              (given) => given.every((text) => words.some((word) => word === text)),
              'not_allowed',
              words.join(', '),
            ),
          ),
      ),
      z.transform((given: string[]) => words.filter((word) => given.includes(word))),
    ),
    { type: 'array', items: { type: 'string', enum: [...words] } },
  );

const cursorText = () =>
  describedAs(
    z.pipe(
      z.string().check(z.maxLength(2_048)),
      z.transform((text: string) => (text === '' ? undefined : text)),
    ),
    { pattern: '^[A-Za-z0-9._-]*$' },
  );

/** The two parameters for the pages of every list except slots. */
export const paging = () => ({
  limit: described(z.optional(queryNumber(1, 100)), 'How many items at most; 50 unless set.'),
  cursor: described(
    z.optional(cursorText()),
    'Where to go on: `meta.next_cursor` of the page before; an empty one begins with the first page.',
    { example: '' },
  ),
});

/** The fields by which a page refers to the next one. */
export const pageMeta = () =>
  z.object({
    next_cursor: described(z.nullable(z.string()), 'The cursor of the next page; null on the last one.'),
  });

/** The query of a list that pages and nothing else. */
export const pageQuery = () => z.object(paging());

/** The id of a record in another system, as a filter. */
export const externalIdFilter = (more = '') =>
  described(z.optional(oneLine(100)), `Only the record with this id in another system. ${more}`.trim(), {
    example: 'A-1042',
  });

const sinceShape = once(() => z.union([localDate(), instant()]));

/** From when on a record was changed: an instant, or a date, whose day begins by the clinic's clock. */
export const updatedSince = (more = '') =>
  described(
    z.optional(
      describedAs(z.string().check(must((text) => sinceShape().safeParse(text).success, 'invalid')), {
        example: '2026-11-01',
      }),
    ),
    `Only what was changed at this instant or later (\`2026-11-01T00:00:00+07:00\`), or since the beginning of this date by the clinic's clock. Take a minute before the newest \`updated_at\` that you have. ${more}`.trim(),
  );
