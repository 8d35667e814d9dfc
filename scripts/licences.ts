import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Licence {
  name: string;
  version: string;
  identifier: string | null;
  text: string;
}

/** The licence data of the package in a folder; its text is that of its licence file, if it has one. */
export const licenceIn = (folder: string): Licence => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    license?: string;
  };
  const [file] = globSync('{LICEN[CS]E,licen[cs]e,COPYING}*', { cwd: folder });
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8');
  return { name, version, identifier: license ?? null, text };
};

/** The folders of the packages that modules, named by their paths, are part of. */
export const packageFoldersOf = (modules: readonly string[]): string[] => {
  const folders = modules.flatMap((path) => {
    const [, folder] = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
    return folder !== undefined && existsSync(join(folder, 'package.json')) ? [folder] : [];
  });
  return [...new Set(folders)];
};

/** One text with the notice of each, by name. */
export const noticesOf = (found: readonly Licence[]): string => {
  const unique = new Map(found.map((one) => [`${one.name} ${one.version}`, one]));
  return [...unique]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, one]) => `${name} (${one.identifier ?? 'see below'})\n\n${one.text.trim()}\n`)
    .join(`\n${'-'.repeat(72)}\n\n`);
};
