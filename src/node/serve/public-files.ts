import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Encoding, PublicFile } from '../../deps.ts';
import { callsTemplate, eventsTemplate } from '../../reference/document.ts';
import { withOpenAnswers } from '../../reference/open-answers.ts';
import { acceptedEncoding, pack } from './compress.ts';

const fromPackage = createRequire(import.meta.url);
const ours = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../reference/site/${name}`, import.meta.url)));
const theirs = (name: string) => readFileSync(fromPackage.resolve(`swagger-ui-dist/${name}`));

const json = 'application/json; charset=utf-8';
const encoded = (document: object) => new TextEncoder().encode(`${JSON.stringify(document, null, 1)}\n`);

const script = 'text/javascript; charset=utf-8';
const style = 'text/css; charset=utf-8';

const sources: Readonly<Record<string, [contentType: string, read: () => Uint8Array<ArrayBuffer>]>> = {
  '/openapi.json': [json, () => encoded(withOpenAnswers(callsTemplate()))],
  '/openapi-webhooks.json': [json, () => encoded(withOpenAnswers(eventsTemplate()))],
  '/docs/index.html': ['text/html; charset=utf-8', () => ours('index.html')],
  '/docs/reference.js': [script, () => ours('reference.js')],
  '/docs/reference.css': [style, () => ours('reference.css')],
  '/docs/swagger-ui-bundle.js': [script, () => theirs('swagger-ui-bundle.js')],
  '/docs/swagger-ui.css': [style, () => theirs('swagger-ui.css')],
  '/docs/favicon-32x32.png': ['image/png', () => theirs('favicon-32x32.png')],
};

/** The paths of all static files of the service. */
export const publicPaths: readonly string[] = Object.keys(sources);

/** Large files from packages: they change only with the package, so they are compressed best once, at install time. */
const packedAtInstall = Object.keys(sources).filter((path) => path.includes('swagger-ui'));

const folder = fileURLToPath(new URL('../../../node_modules/.cache/janji/', import.meta.url));
const bestQuality = 11;
const firstRequestQuality = 6;

const hashOf = (content: Uint8Array): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 20);

/** The path of a compressed file. It contains the hash of the content, so it can never belong to an older content. */
const packedPath = (content: Uint8Array): string => join(folder, `${hashOf(content)}.br`);

/** Compresses the large files as well as possible, if not yet done. It takes seconds, so it runs at install time. */
export const packAtInstall = async (): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  for (const path of packedAtInstall) {
    const content = sourceOf(path)[1]();
    const target = packedPath(content);
    if (existsSync(target)) continue;
    const partial = `${target}.${process.pid}`;
    writeFileSync(partial, await pack(content, 'br', bestQuality));
    renameSync(partial, target);
  }
};

const sourceOf = (path: string) => sources[path] as (typeof sources)[string];

const packedOf = async (path: string, content: Uint8Array, encoding: Encoding) => {
  const isMade = encoding === 'br' && packedAtInstall.includes(path) && existsSync(packedPath(content));
  return isMade
    ? new Uint8Array(readFileSync(packedPath(content)))
    : await pack(content, encoding, firstRequestQuality);
};

const make = async (path: string, encoding: Encoding | null): Promise<PublicFile> => {
  const [contentType, read] = sourceOf(path);
  const content = read();
  if (encoding === null) return { content, contentType, etag: `"${hashOf(content)}"` };
  const packed = await packedOf(path, content, encoding);
  // Each encoding has its own ETag, because its bytes differ.
  return { content: packed, contentType, etag: `"${hashOf(packed)}"`, encoding };
};

const made = new Map<string, Promise<PublicFile>>();

/** A file of the reference, read or created at the first request for each encoding. */
export const publicFile = async (path: string, acceptEncoding = ''): Promise<PublicFile | null> => {
  if (!Object.hasOwn(sources, path)) return null;
  const encoding = path.endsWith('.png') ? null : acceptedEncoding(acceptEncoding);
  const name = `${path} ${encoding ?? ''}`;
  const file = made.get(name) ?? make(path, encoding);
  made.set(name, file);
  // A failed read is tried again at the next request.
  file.catch(() => made.delete(name));
  return file;
};
