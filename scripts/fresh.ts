import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder as root } from '../src/node/package-folder.ts';

/** When a file was written, in milliseconds since 1970; 0 where there is none. */
export const writtenAt = (path: string): number =>
  statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Whether what was built is younger than all that it is built of (globs, from the repository's folder). */
export const isFresh = (built: string, sources: readonly string[]): boolean => {
  const builtAt = writtenAt(built);
  return builtAt > 0 && globSync([...sources], { cwd: root }).every((path) => writtenAt(path) <= builtAt);
};

/** Whether a package of development is here: a host that only runs what was built has none. */
export const isInstalled = (name: string): boolean => writtenAt(`node_modules/${name}/package.json`) > 0;
