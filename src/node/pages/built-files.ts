import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Deps, PublicFile } from '../../deps.ts';
import type { Logger } from '../../log.ts';
import { acceptedEncoding } from '../serve/compress.ts';

/** What the build says of a file; `packed`: it lies there in both encodings as well. */
interface BuiltFile {
  contentType: string;
  hash: string;
  packed: boolean;
  /** In bytes, as it is. */
  size: number;
  /** Of the build before: pages that are open may still ask for it. */
  isOld?: true;
}
export type BuiltFiles = Readonly<Record<string, BuiltFile>>;

export const builtFolder = fileURLToPath(new URL('../../../public', import.meta.url));
export const builtList = 'files.json';

const endings = { br: '.br', gzip: '.gz' } as const;

const timeOf = (folder: string): number => {
  try {
    return statSync(join(folder, builtList)).mtimeMs;
  } catch {
    return 0;
  }
};

type ReadFile = NonNullable<Deps['publicFile']>;

/** Reads what the build left in a folder: only what its list names, so that no path leads elsewhere. */
export const readerOfBuilt = (folder = builtFolder) => {
  let readAt = 0;
  let files: BuiltFiles = {};
  const known = new Map<string, PublicFile>();
  return (path: string, acceptEncoding: string): PublicFile | null => {
    const writtenAt = timeOf(folder);
    if (writtenAt !== readAt) {
      known.clear();
      files = writtenAt === 0 ? {} : JSON.parse(readFileSync(join(folder, builtList), 'utf8'));
      readAt = writtenAt;
    }
    const listed = Object.hasOwn(files, path) ? files[path] : undefined;
    if (listed === undefined) return null;
    const encoding = listed.packed ? acceptedEncoding(acceptEncoding) : null;
    const name = `${path}${encoding === null ? '' : endings[encoding]}`;
    const read = known.get(name);
    if (read !== undefined) return read;
    const file: PublicFile = {
      content: new Uint8Array(readFileSync(join(folder, name))),
      contentType: listed.contentType,
      etag: `"${listed.hash}${encoding === null ? '' : `-${encoding}`}"`,
      ...(encoding !== null && { encoding }),
    };
    known.set(name, file);
    return file;
  };
};

/** Reads the pages where `others` have no such file. */
export const withBuilt = (others: ReadFile, folder?: string): ReadFile => {
  const built = readerOfBuilt(folder);
  return async (path, acceptEncoding) => (await others(path, acceptEncoding)) ?? built(path, acceptEncoding);
};

/** Says at the start that there are no pages to serve: a host without Vite cannot build them by itself. */
export const warnOfUnbuilt = (log: Logger, folder = builtFolder): void => {
  if (timeOf(folder) > 0) return;
  log.warn('public/ holds no pages: /pasien/, /konsol/ and /layar/ answer 404 until `npm run web` has run.');
};
