import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { PublicFile } from '../deps.ts';
import { openApiTemplate } from '../reference/document.ts';

const fromPackage = createRequire(import.meta.url);
const ours = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../reference/site/${name}`, import.meta.url)));
const theirs = (name: string) => readFileSync(fromPackage.resolve(`swagger-ui-dist/${name}`));

const script = 'text/javascript; charset=utf-8';
const style = 'text/css; charset=utf-8';

const sources: Readonly<Record<string, [contentType: string, read: () => Uint8Array<ArrayBuffer>]>> = {
  '/openapi.json': [
    'application/json; charset=utf-8',
    () => new TextEncoder().encode(`${JSON.stringify(openApiTemplate(), null, 1)}\n`),
  ],
  '/docs/index.html': ['text/html; charset=utf-8', () => ours('index.html')],
  '/docs/reference.js': [script, () => ours('reference.js')],
  '/docs/reference.css': [style, () => ours('reference.css')],
  '/docs/swagger-ui-bundle.js': [script, () => theirs('swagger-ui-bundle.js')],
  '/docs/swagger-ui.css': [style, () => theirs('swagger-ui.css')],
  '/docs/favicon-32x32.png': ['image/png', () => theirs('favicon-32x32.png')],
};

/** The paths of all files that the service serves as they are. */
export const publicPaths: readonly string[] = Object.keys(sources);

const kept = new Map<string, PublicFile>();

const tagOf = (content: Uint8Array): string =>
  `"${createHash('sha256').update(content).digest('base64url').slice(0, 20)}"`;

const smaller = (path: string, file: PublicFile, content: Uint8Array): PublicFile => {
  if (path.endsWith('.png')) return file;
  const packed = new Uint8Array(gzipSync(content));
  return { ...file, content: packed, etag: tagOf(packed), encoding: 'gzip' };
};

/** A file of the reference, made or read at its first request, and packed once for those who take it so. */
export const publicFile = async (path: string, takesGzip = false): Promise<PublicFile | null> => {
  const name = takesGzip ? `${path} gzip` : path;
  const known = kept.get(name);
  if (known !== undefined) return known;
  if (!Object.hasOwn(sources, path)) return null;
  const [contentType, read] = sources[path] as (typeof sources)[string];
  const content = read();
  const plain: PublicFile = { content, contentType, etag: tagOf(content) };
  const file = takesGzip ? smaller(path, plain, content) : plain;
  kept.set(name, file);
  return file;
};
