import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build as vite } from 'vite';
import { hashedForever, pageHeaders } from '../../src/http/pages/page-headers.ts';
import { type BuiltFiles, builtFolder, builtList } from '../../src/node/pages/built-files.ts';
import { apps, configOf, workerConfigOf } from './config.ts';
import { type Loads, loadsList, loadsOf, type Manifest } from './loads.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.mp3': 'audio/mpeg',
};
const isText = (path: string): boolean => /\.(html|js|css|svg|webmanifest|txt)$/.test(path);

const hashOf = (content: Uint8Array): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 20);

interface Licence {
  name: string;
  version: string;
  identifier: string | null;
  text: string;
}

/** The notices of everything that is shipped, the type face included. */
const licencesOf = (found: readonly Licence[]): string => {
  const face = '@fontsource-variable/plus-jakarta-sans';
  const font = join(root, 'node_modules', face);
  const { version } = JSON.parse(readFileSync(join(font, 'package.json'), 'utf8')) as { version: string };
  const text = readFileSync(join(font, 'LICENSE'), 'utf8');
  const all = [...found, { name: face, version, identifier: 'OFL-1.1', text }];
  const unique = new Map(all.map((one) => [`${one.name} ${one.version}`, one]));
  return [...unique]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, one]) => `${name} (${one.identifier ?? 'see below'})\n\n${one.text.trim()}\n`)
    .join(`\n${'-'.repeat(72)}\n\n`);
};

const headersFile = (): string => {
  const lines = Object.entries({ ...pageHeaders, 'Cache-Control': hashedForever });
  return `/assets/*\n${lines.map(([name, value]) => `  ${name}: ${value}\n`).join('')}`;
};

const pathsIn = (folder: string): string[] =>
  globSync('**', { cwd: folder })
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => `/${path}`)
    .sort();

/** What an app's service worker keeps: its page, and what the page and its parts load. */
const shellOf = (out: string, app: string, own: readonly string[]) =>
  [`/${app}/index.html`, ...own]
    .filter((path) => !path.endsWith('licenses.txt'))
    .map((url) => ({
      url,
      revision: url.startsWith('/assets/') ? null : hashOf(readFileSync(join(out, url))),
    }));

/** Reads what Vite tells about a build, and takes it away: it is not served. */
const takeAway = (out: string, name: string): unknown => {
  const told = JSON.parse(readFileSync(join(out, name), 'utf8'));
  rmSync(join(out, name));
  return told;
};

interface Built {
  licences: Licence[];
  loads: Loads;
}

const buildApp = async (app: string, out: string): Promise<Built> => {
  const writtenAt = (path: string) => statSync(join(out, path)).mtimeMs;
  const before = new Map(pathsIn(out).map((path) => [path, writtenAt(path)]));
  await vite(configOf(app, out));
  const licences = takeAway(out, 'licences.json') as Licence[];
  const loads = loadsOf(takeAway(out, 'manifest.json') as Manifest);
  const still = join(root, 'web', app, 'static');
  if (existsSync(still)) cpSync(still, join(out, app), { recursive: true });
  if (!existsSync(join(root, 'web', app, 'sw.ts'))) return { licences, loads };
  // What another app has as well, such as the face, was written once more.
  const isOwn = (path: string) => before.get(path) !== writtenAt(path) && path !== `/${app}/index.html`;
  const own = pathsIn(out).filter(isOwn);
  await vite(workerConfigOf(app, out, shellOf(out, app, own)));
  return { licences, loads };
};

const write = (folder: string, path: string, content: string | Uint8Array): void => {
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(`${target}.${process.pid}`, content);
  renameSync(`${target}.${process.pid}`, target);
};

/** The file and, where that is worth it, what it comes to packed. */
const publish = (path: string, content: Uint8Array) => {
  write(builtFolder, path, content);
  const packed = isText(path) && content.length > 512;
  if (packed) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
    write(builtFolder, `${path}.br`, brotliCompressSync(content, { params }));
    write(builtFolder, `${path}.gz`, gzipSync(content, { level: 9 }));
  }
  const contentType = contentTypes[extname(path)];
  if (contentType === undefined) throw new Error(`What type has ${path}? See scripts/web/build.ts.`);
  return { contentType, hash: hashOf(content), packed, size: content.length };
};

const listBefore = (): BuiltFiles => {
  const path = join(builtFolder, builtList);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
};

/** Hashed files that an open page of the build before may still ask for; those of the one before that go. */
const keptOf = (before: BuiltFiles, now: BuiltFiles): BuiltFiles => {
  const old = Object.entries(before).filter(([path]) => path.startsWith('/assets/') && !(path in now));
  for (const [path, file] of old)
    if (file.isOld)
      for (const end of ['', '.br', '.gz']) rmSync(join(builtFolder, path + end), { force: true });
  return Object.fromEntries(
    old.filter(([, file]) => !file.isOld).map(([path, file]) => [path, { ...file, isOld: true }]),
  );
};

/** Builds every app and publishes what came out of it. */
export const build = async (): Promise<void> => {
  const cache = join(root, 'node_modules/.cache/janji');
  mkdirSync(cache, { recursive: true });
  const out = mkdtempSync(join(cache, 'web-'));
  try {
    const built: Record<string, Built> = {};
    for (const app of apps) built[app] = await buildApp(app, out);
    const all = Object.entries(built);
    const licences = all.flatMap(([, one]) => one.licences);
    writeFileSync(join(out, 'assets/licenses.txt'), licencesOf(licences));
    const files = Object.fromEntries(
      pathsIn(out).map((path) => [path, publish(path, readFileSync(join(out, path)))]),
    );
    write(builtFolder, '_headers', headersFile());
    write(builtFolder, '.assetsignore', `${builtList}\n${loadsList}\n*.br\n*.gz\n`);
    const loads = Object.fromEntries(all.map(([app, one]) => [app, one.loads]));
    write(builtFolder, loadsList, `${JSON.stringify(loads, null, 1)}\n`);
    const served = { ...keptOf(listBefore(), files), ...files };
    // Last: what it names is there.
    write(builtFolder, builtList, `${JSON.stringify(served, null, 1)}\n`);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
};
