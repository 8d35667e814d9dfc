import type { Deps, PublicFile } from '../../core/deps.ts';
import { resolveExampleDates } from '../../core/endpoint/example-dates.ts';

export type ReadFile = (deps: Deps, path: string, acceptEncoding: string) => Promise<PublicFile | null>;

interface Dated {
  today: string;
  text: string;
  plain: PublicFile;
  /** By what a client accepts: clients send few different headers. */
  packed: Map<string, PublicFile>;
}

const maxPackedForms = 50;

const tagOn = (tag: string, ...more: string[]): string =>
  `"${[tag.replaceAll(/^W\/|"/g, ''), ...more].join('-')}"`;

const datedOn = async ({ publicFile }: Deps, path: string, today: string): Promise<Dated | null> => {
  const template = await publicFile?.(path, '');
  if (template === undefined || template === null) return null;
  const text = resolveExampleDates(await new Response(template.content).text(), today);
  const content = new TextEncoder().encode(text);
  const plain = { ...template, content, etag: tagOn(template.etag, today) };
  return { today, text, plain, packed: new Map() };
};

/**
 * The encoding that a client accepts; a runtime that compresses answers itself, as Workers do, has only the plain one.
 */
const formFor = async ({ compress }: Deps, dated: Dated, acceptEncoding: string): Promise<PublicFile> => {
  const known = dated.packed.get(acceptEncoding);
  if (known !== undefined) return known;
  const packed = await compress?.(dated.text, acceptEncoding);
  if (packed === undefined || packed === null) return dated.plain;
  const file = { ...dated.plain, ...packed, etag: tagOn(dated.plain.etag, packed.encoding) };
  if (dated.packed.size < maxPackedForms) dated.packed.set(acceptEncoding, file);
  return file;
};

/** Clinics of several zones have different days for some hours. */
const keptDays = 2;

/**
 * Reads one OpenAPI document with examples that lie ahead of the clinic's present day; made once a day for all clinics
 * whose files come from the same place.
 */
export const datedDocument = (): ReadFile => {
  const kept = new WeakMap<object, Dated[]>();
  return async (deps, path, acceptEncoding) => {
    if (deps.publicFile === undefined) return null;
    const today = deps.clinicTime.dateOf(deps.clock());
    const known = kept.get(deps.publicFile) ?? [];
    const made = known.find((one) => one.today === today) ?? (await datedOn(deps, path, today));
    if (made === null) return null;
    if (!known.includes(made)) kept.set(deps.publicFile, [made, ...known].slice(0, keptDays));
    return formFor(deps, made, acceptEncoding);
  };
};
