import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { packageFolder } from '../../../src/runtime/node/package-folder.ts';

/** Builds outdated parts in a separate process: the tests start the same programs as people do. */
export const setup = (): void => {
  const { status, stderr } = spawnSync(process.execPath, [join(packageFolder, 'scripts/build.ts')], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`What is served cannot be built.\n${stderr}`);
};
