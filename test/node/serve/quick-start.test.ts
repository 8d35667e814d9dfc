import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { commandArguments } from '../../support/node/entries.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Tells at the end which modules were loaded, and as what. */
const listing = `import { registerHooks } from 'node:module';
const loaded = [];
registerHooks({ load(url, context, next) { const given = next(url, context); loaded.push(url + ' ' + given.format); return given; } });
process.on('exit', () => process.stderr.write(JSON.stringify(loaded.sort())));`;

const loadedBy = async (options: readonly string[]): Promise<string[]> => {
  const list = `data:text/javascript,${encodeURIComponent(listing)}`;
  const { stderr } = await promisify(execFile)(process.execPath, ['--import', list, ...options, '--help'], {
    cwd: root,
  });
  return JSON.parse(stderr);
};

it('a start that is quick loads the same modules as one that is not', async () => {
  const [script = ''] = commandArguments.slice(-1);
  const [quick, plain] = await Promise.all([loadedBy(commandArguments), loadedBy([script])]);
  const own = /\/src\/node\/quick-start\.ts /;
  expect(quick.filter((each) => own.test(each))).toHaveLength(1);
  expect(quick.filter((each) => !own.test(each))).toEqual(plain);
  expect(plain.filter((each) => each.includes('/node_modules/drizzle-orm/')).length).toBeGreaterThan(50);
});

it('what quick-start.ts takes for granted of drizzle-orm is true: one package.json, for all its folders', () => {
  expect(globSync('node_modules/drizzle-orm/**/package.json', { cwd: root })).toEqual([
    'node_modules/drizzle-orm/package.json',
  ]);
});
