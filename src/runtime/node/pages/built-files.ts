import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { PublicFile } from '../../../core/deps.ts';
import type { Logger } from '../../../core/log.ts';
import { packageFolder } from '../package-folder.ts';
import { acceptedEncoding } from '../serve/compress.ts';

/** The build's entry for a file; `packed`: both compressed versions exist as well. */
export interface BuiltFile {
  contentType: string;
  hash: string;
  packed: boolean;
  /** In bytes, uncompressed. */
  size: number;
  /** Of the build before: pages that are open may still ask for it. */
  isOld?: true;
}
export type BuiltFiles = Readonly<Record<string, BuiltFile>>;

export const builtFolder = join(packageFolder, 'public');
/** The lists of built files: the pages' and the reference's. */
export const builtList = 'files.json';
export const referenceList = 'reference.json';

const endings = { br: '.br', gzip: '.gz' } as const;

const readBuildTime = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** The files of a list, read again after the list was written again. */
const readerOfList = (folder: string, list: string) => {
  const path = join(folder, list);
  let readAt = 0;
  let files: BuiltFiles = {};
  let contents = new Map<string, PublicFile>();
  return () => {
    const writtenAt = readBuildTime(path);
    if (writtenAt !== readAt) {
      files = writtenAt === 0 ? {} : JSON.parse(readFileSync(path, 'utf8'));
      contents = new Map();
      readAt = writtenAt;
    }
    return { files, contents };
  };
};

/** Reads what the builds left in a folder: only what their lists name, so that no path leads elsewhere. */
export const readerOfBuilt = (folder = builtFolder) => {
  const lists = [builtList, referenceList].map((list) => readerOfList(folder, list));
  /** One file of a list, in the encoding that the client accepts; read from the disk once. */
  const readFrom = (
    { files, contents }: ReturnType<ReturnType<typeof readerOfList>>,
    path: string,
    acceptEncoding: string,
  ): PublicFile | null => {
    const listed = files[path];
    if (listed === undefined) return null;
    const encoding = listed.packed ? acceptedEncoding(acceptEncoding) : null;
    const name = `${path}${encoding === null ? '' : endings[encoding]}`;
    const read = contents.get(name);
    if (read !== undefined) return read;
    const file: PublicFile = {
      content: new Uint8Array(readFileSync(join(folder, name))),
      contentType: listed.contentType,
      etag: `"${listed.hash}${encoding === null ? '' : `-${encoding}`}"`,
      ...(encoding !== null && { encoding }),
    };
    contents.set(name, file);
    return file;
  };
  return async (path: string, acceptEncoding: string): Promise<PublicFile | null> => {
    for (const read of lists) {
      const list = read();
      if (Object.hasOwn(list.files, path)) return readFrom(list, path, acceptEncoding);
    }
    return null;
  };
};

/** Logs at the start that there are no pages to serve: a host without Vite cannot build them. */
export const warnOfUnbuilt = (log: Logger, folder = builtFolder): void => {
  if (readBuildTime(join(folder, builtList)) > 0) return;
  log.warn(
    'public/ holds no pages: /pasien/, /konsol/ and /layar/ answer 404 until `npm run build` has run.',
  );
};
