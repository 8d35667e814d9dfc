import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type BuiltFile, type BuiltFiles, builtFolder } from '../src/runtime/node/pages/built-files.ts';

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.mp3': 'audio/mpeg',
};
const isText = (path: string): boolean => /\.(html|js|css|svg|webmanifest|txt)$/.test(path);

export const hashOf = (content: Uint8Array): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 20);

/** Writes a file of public/ in one step: a service that runs may read it meanwhile. */
export const write = (path: string, content: string | Uint8Array): void => {
  const target = join(builtFolder, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(`${target}.${process.pid}`, content);
  renameSync(`${target}.${process.pid}`, target);
};

/** The content of a list of public/; empty if it was never written. */
export const listedIn = (list: string): BuiltFiles => {
  const path = join(builtFolder, list);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
};

/** Writes the file and, where that is worth it, what it comes to packed; one that is as it was takes no time. */
export const publish = (path: string, content: Uint8Array, before?: BuiltFile): BuiltFile => {
  const contentType = contentTypes[extname(path)];
  if (contentType === undefined) throw new Error(`What type has ${path}? See scripts/publish.ts.`);
  const packed = isText(path) && content.length > 512;
  const hash = hashOf(content);
  write(path, content);
  if (packed && before?.hash !== hash) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
    write(`${path}.br`, brotliCompressSync(content, { params }));
    write(`${path}.gz`, gzipSync(content, { level: 9 }));
  }
  return { contentType, hash, packed, size: content.length };
};
