import type { Deps, PublicFile } from '../deps.ts';
import { resolveExampleDates } from '../example-dates.ts';

export type ReadFile = (path: string, takesGzip: boolean) => Promise<PublicFile | null>;

interface Dated {
  today: string;
  plain: PublicFile;
  packed: PublicFile;
}

const gzipped = async (text: string): Promise<Uint8Array<ArrayBuffer>> => {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};

const tagOn = (tag: string, today: string): string => `"${tag.replaceAll(/^W\/|"/g, '')}-${today}"`;

// A runtime that packs its files by itself, as Workers do, would pack what is packed once more.
const packed = async (
  plain: PublicFile,
  text: string,
  whole: PublicFile | null | undefined,
  today: string,
) =>
  whole?.encoding === undefined
    ? plain
    : { ...whole, content: await gzipped(text), etag: tagOn(whole.etag, today) };

const datedOn = async ({ publicFile }: Deps, path: string, today: string): Promise<Dated | null> => {
  const template = await publicFile?.(path, false);
  if (template === undefined || template === null) return null;
  const text = resolveExampleDates(await new Response(template.content).text(), today);
  const content = new TextEncoder().encode(text);
  const plain = { ...template, content, etag: tagOn(template.etag, today) };
  return { today, plain, packed: await packed(plain, text, await publicFile?.(path, true), today) };
};

/** Reads the OpenAPI document with examples that lie ahead of the clinic's present day; made once a day. */
export const datedDocument = (deps: Deps): ReadFile => {
  let made: Dated | null = null;
  return async (path, takesGzip) => {
    const today = deps.clinicTime.dateOf(deps.clock());
    if (made?.today !== today) made = await datedOn(deps, path, today);
    return made && (takesGzip ? made.packed : made.plain);
  };
};
