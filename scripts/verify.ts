// Checks to run while you work: format, lint and types, the tests of the source itself, and on Node the tests that you
// changed and those of the folders whose source you changed. `npm test` runs all.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chooseTests } from './verify/choose-tests.ts';

const git = (...args: string[]): string[] =>
  execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);

const changed = [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')];
const { tests, without } = chooseTests(changed, existsSync);
// What only test/node starts is not built for other tests: the pages take longer to build than anything else here.
const env = {
  ...process.env,
  TESTS_START_NO_PROGRAM: String(!tests.some((each) => each.startsWith('test/node/'))),
};

const steps: readonly [command: string, args: readonly string[]][] = [
  ['biome', ['check']],
  ['npm', ['run', '--silent', 'types']],
  ['vitest', ['run', '--project', 'node', ...tests]],
];
process.stdout.write(`verify: with the tests of ${tests.join(' ')}\n`);
for (const folder of without)
  process.stdout.write(`verify: no folder of test/ is for ${folder}: choose its tests yourself.\n`);
const seconds = (since: number): string => `${((Date.now() - since) / 1000).toFixed(0)} s`;
const began = Date.now();
for (const [command, args] of steps) {
  const at = Date.now();
  const { status } = spawnSync(command, args, { stdio: 'inherit', env });
  process.stdout.write(`verify: ${command} took ${seconds(at)}.\n`);
  if (status === 0) continue;
  process.stdout.write(`verify: ${command} failed.\n`);
  process.exit(1);
}
process.stdout.write(`verify: all is well, in ${seconds(began)}.\n`);
