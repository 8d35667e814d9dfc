import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../../src', import.meta.url));

/** Every file of src/, by its path in there. */
export const all = readdirSync(source, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(source, join(entry.parentPath, entry.name)));
export const files = all.filter((file) => file.endsWith('.ts'));
export const texts = new Map(files.map((file) => [file, readFileSync(join(source, file), 'utf8')]));

export interface Import {
  from: string;
  to: string;
  isType: boolean;
}

const importForm =
  /^(?:import|export)\s+(type\s)?[^'"]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\(\s*'([^']+)'/gm;

/** `#name` of package.json: the file that the Worker gets. */
const { imports: aliases } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  imports: Record<string, { workerd: string }>;
};

const targetOf = (from: string, specifier: string): string => {
  if (specifier.startsWith('.')) return normalize(join(dirname(from), specifier));
  const alias = aliases[specifier];
  return alias === undefined ? specifier : relative('src', alias.workerd);
};

export const imports: Import[] = files.flatMap((from) =>
  [...(texts.get(from) ?? '').matchAll(importForm)].map(([, type, named, bare, called]) => ({
    from,
    to: targetOf(from, named ?? bare ?? called ?? ''),
    isType: type !== undefined,
  })),
);
export const isLocal = ({ to }: Import) => texts.has(to);
