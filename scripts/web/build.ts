import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as vite } from 'vite';
import { hashedForever, pageHeaders } from '../../src/core/http/pages/page-headers.ts';
import {
  type BuiltFiles,
  builtFolder,
  builtList,
  referenceList,
} from '../../src/runtime/node/pages/built-files.ts';
import { type Licence, licenceIn, noticesOf } from '../licences.ts';
import { hashOf, listedIn, publish, write } from '../publish.ts';
import { apps, configOf, sourceFolder, workerConfigOf } from './config.ts';
import { type Loads, loadsList, loadsOf, type Manifest } from './loads.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Vite names the packages of scripts; this one is of styles. */
const typeFace = join(root, 'node_modules/@fontsource-variable/plus-jakarta-sans');

const headersFile = (): string => {
  const lines = Object.entries({ ...pageHeaders, 'Cache-Control': hashedForever });
  return `/assets/*\n${lines.map(([name, value]) => `  ${name}: ${value}\n`).join('')}`;
};

const pathsIn = (folder: string): string[] =>
  globSync('**', { cwd: folder })
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => `/${path}`)
    .sort();

/** The files that an app's service worker caches: its page, and the files that the page and its parts load. */
const shellOf = (out: string, app: string, own: readonly string[]) =>
  [`/${app}/index.html`, ...own]
    .filter((path) => !path.endsWith('licenses.txt'))
    .map((url) => ({
      url,
      revision: url.startsWith('/assets/') ? null : hashOf(readFileSync(join(out, url))),
    }));

/** Reads Vite's manifest of a build and deletes it: it is not served. */
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
  const still = join(sourceFolder(app), 'static');
  if (existsSync(still)) cpSync(still, join(out, app), { recursive: true });
  if (!existsSync(join(sourceFolder(app), 'sw.ts'))) return { licences, loads };
  // Files that another app has as well, such as the font, were written twice.
  const isOwn = (path: string) => before.get(path) !== writtenAt(path) && path !== `/${app}/index.html`;
  const own = pathsIn(out).filter(isOwn);
  await vite(workerConfigOf(app, out, shellOf(out, app, own)));
  return { licences, loads };
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
    writeFileSync(join(out, 'assets/licenses.txt'), noticesOf([...licences, licenceIn(typeFace)]));
    const before = listedIn(builtList);
    const files = Object.fromEntries(
      pathsIn(out).map((path) => [path, publish(path, readFileSync(join(out, path)), before[path])]),
    );
    write('_headers', headersFile());
    write('.assetsignore', `${builtList}\n${referenceList}\n${loadsList}\n*.br\n*.gz\n`);
    const loads = Object.fromEntries(all.map(([app, one]) => [app, one.loads]));
    write(loadsList, `${JSON.stringify(loads, null, 1)}\n`);
    const served = { ...keptOf(before, files), ...files };
    // Last: the files that it names exist by now.
    write(builtList, `${JSON.stringify(served, null, 1)}\n`);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
};
