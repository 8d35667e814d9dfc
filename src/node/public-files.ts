import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { PublicFile } from '../deps.ts';
import { openApiDocument } from '../reference/document.ts';

const fromPackage = createRequire(import.meta.url);
const ours = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../reference/site/${name}`, import.meta.url)));
const theirs = (name: string) => readFileSync(fromPackage.resolve(`swagger-ui-dist/${name}`));

const script = 'text/javascript; charset=utf-8';
const style = 'text/css; charset=utf-8';

const sources: Readonly<Record<string, [contentType: string, read: () => Uint8Array<ArrayBuffer>]>> = {
  '/openapi.json': [
    'application/json; charset=utf-8',
    () => new TextEncoder().encode(`${JSON.stringify(openApiDocument(), null, 1)}\n`),
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

/** A file of the reference, made or read at its first request. */
export const publicFile = async (path: string): Promise<PublicFile | null> => {
  const known = kept.get(path);
  if (known !== undefined) return known;
  if (!Object.hasOwn(sources, path)) return null;
  const [contentType, read] = sources[path] as (typeof sources)[string];
  const content = read();
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 20)}"`;
  const file = { content, contentType, etag };
  kept.set(path, file);
  return file;
};
