// Checks of less than a minute, to run while you work: format, lint and types, the tests of the source itself, and on
// Node the tests that you changed and those of the folders whose source you changed. `npm test` runs all.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';

const git = (...args: string[]): string[] =>
  execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);

const changed = [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')];

/** The tests of a folder of src are in the folder of test with the same name. */
const testsOf = (file: string): string[] => {
  if (/^test\/.+\.test\.ts$/.test(file) && !/^test\/(faults|workers|runtime|browser)\//.test(file))
    return [file];
  if (!file.startsWith('src/')) return [];
  const folder = dirname(file).replace(/^src/, 'test');
  return folder !== 'test' && existsSync(folder) ? [`${folder}/`] : [];
};

const tests = [...new Set(['test/repository/', ...changed.flatMap(testsOf)])].filter((each) =>
  existsSync(each),
);
const steps: readonly [command: string, args: readonly string[]][] = [
  ['biome', ['check']],
  ['npm', ['run', '--silent', 'types']],
  ['vitest', ['run', '--project', 'node', ...tests]],
];
const began = Date.now();
for (const [command, args] of steps) {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status === 0) continue;
  process.stdout.write(`verify: ${command} failed.\n`);
  process.exit(1);
}
process.stdout.write(`verify: all is well, in ${((Date.now() - began) / 1000).toFixed(0)} s.\n`);
