import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder as root } from '../src/runtime/node/package-folder.ts';

/** When a file was written, in milliseconds since 1970; 0 where there is none. */
export const writtenAt = (path: string): number =>
  statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Whether the build is newer than all its sources (globs, from the repository's folder). */
export const isFresh = (built: string, sources: readonly string[]): boolean => {
  const builtAt = writtenAt(built);
  return builtAt > 0 && globSync([...sources], { cwd: root }).every((path) => writtenAt(path) <= builtAt);
};

/** Whether a development package is installed: a host that only runs the build has none. */
export const isInstalled = (name: string): boolean => writtenAt(`node_modules/${name}/package.json`) > 0;
