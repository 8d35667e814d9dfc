import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../../src/runtime/node/package-folder.ts';

/**
 * Builds outdated parts in a separate process: the tests start the same programs as people do. `npm run verify` says that
 * none of its tests starts one.
 */
export const setup = (): void => {
  if (process.env.TESTS_START_NO_PROGRAM === 'true' && existsSync(join(packageFolder, 'public'))) return;
  const { status, stderr } = spawnSync(process.execPath, [join(packageFolder, 'scripts/build.ts')], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`What is served cannot be built.\n${stderr}`);
};
