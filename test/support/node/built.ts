import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { packageFolder } from '../../../src/node/package-folder.ts';

/** Builds what is not fresh, in a process of its own: the tests start what people start. */
export const setup = (): void => {
  const { status, stderr } = spawnSync(process.execPath, [join(packageFolder, 'scripts/build.ts')], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`What is served cannot be built.\n${stderr}`);
};
