import * as z from 'zod/mini';
import { Failure } from '../endpoint/errors.ts';
import { described, describedAs, freeText, keepsNames, must, oneLine } from '../endpoint/fields.ts';
import { violatedUnique } from './conflict.ts';

// What another system stores with a record: its own id, and some texts under its own names.

type Metadata = Readonly<Record<string, string>>;

const mostKeys = 20;
const keyForm = /^[A-Za-z0-9_.-]{1,40}$/;
const idMeaning =
  'The id of the record in another system, unique among the records of its kind. Lists find it with `?external_id=`.';
const metadataMeaning =
  'Texts that another system keeps with the record: at most 20 names (letters, digits, `_`, `.`, `-`) of at most 40 characters, not `__proto__`, each with at most 500 characters. Never personal data. A change replaces them all.';

const externalId = () => oneLine(100);

const metadata = () =>
  describedAs(
    z.pipe(keepsNames<string>('metadata_key'), z.record(z.string(), freeText(500))).check(
      must((given) => Object.keys(given).every((key) => keyForm.test(key)), 'metadata_key'),
      must((given) => Object.keys(given).length <= mostKeys, 'too_many', mostKeys),
    ),
    { maxProperties: mostKeys, propertyNames: { pattern: keyForm.source }, example: {} },
  );

/** Metadata as a column has them; null where there are none. */
const metadataText = (given: Metadata): string | null =>
  Object.keys(given).length === 0 ? null : JSON.stringify(given);

/** Metadata as they are shown. */
const metadataView = (text: string | null): Metadata => (text === null ? {} : JSON.parse(text));

/** The two fields of a record that lists show by its declaration. */
export const externalFields = {
  externalId: {
    shape: () => z.nullable(externalId()),
    otherwise: null,
    meaning: idMeaning,
    example: null,
  },
  metadata: {
    shape: metadata,
    otherwise: {},
    store: metadataText,
    show: metadataView,
    meaning: metadataMeaning,
  },
} as const;

/** The same in answers. */
export const externalAnswer = () => ({
  external_id: described(z.nullable(z.string()), idMeaning, { example: null }),
  metadata: described(
    describedAs(z.record(z.string(), z.string()), { maxProperties: mostKeys, example: {} }),
    metadataMeaning,
  ),
});

/** The same in bodies: an omitted field does not change, and null clears it. */
export const externalInput = (whose = '') => ({
  external_id: described(z.optional(z.nullable(externalId())), `${whose} ${idMeaning}`.trim(), {
    example: 'A-1042',
  }),
  metadata: described(z.optional(metadata()), `${whose} ${metadataMeaning}`.trim()),
});

interface Given {
  external_id?: string | null | undefined;
  metadata?: Metadata | undefined;
}
interface Columns {
  externalId: string | null;
  metadata: string | null;
}

/** The columns of a record without either. */
export const noExternal: Columns = { externalId: null, metadata: null };

/** The columns after an input. */
export const externalAfter = (before: Columns, { external_id, metadata }: Given): Columns => ({
  externalId: external_id === undefined ? before.externalId : external_id,
  metadata: metadata === undefined ? before.metadata : metadataText(metadata),
});

export const externalView = ({ externalId, metadata }: Columns) => ({
  external_id: externalId,
  metadata: metadataView(metadata),
});

/** The same in the document of events. */
export const externalInEvent = () => ({
  external_id: described(z.optional(z.string()), 'The id in another system; left out where there is none.', {
    example: 'A-1042',
  }),
  metadata: described(
    z.optional(describedAs(z.record(z.string(), z.string()), { example: {} })),
    'What that system keeps with the record; left out where there is nothing.',
  ),
});

/** The same in events, which leave out what a record does not have. */
export const externalPayload = ({ externalId, metadata }: Columns) => ({
  ...(externalId !== null && { external_id: externalId }),
  ...(metadata !== null && { metadata: metadataView(metadata) }),
});

/** Waits for a write; throws `external_id_taken` if another record of the kind has the id. */
export const unlessExternalIdTaken = async <T>(write: Promise<T>): Promise<T> => {
  try {
    return await write;
  } catch (error) {
    if (violatedUnique(error)?.endsWith('.external_id')) throw new Failure('external_id_taken');
    throw error;
  }
};
