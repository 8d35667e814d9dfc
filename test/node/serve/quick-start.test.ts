import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { quickStartOptions } from '../../support/node/entries.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Prints at the end which modules were loaded, and as which kind, and how often Node's own resolution was used for
 * drizzle-orm.
 */
const listing = `import { registerHooks } from 'node:module';
const loaded = [];
let asked = 0;
registerHooks({ resolve(name, context, next) { const found = next(name, context); asked += found.url.includes('/node_modules/drizzle-orm/'); return found; }, load(url, context, next) { const given = next(url, context); loaded.push(url + ' ' + given.format); return given; } });
process.on('exit', () => process.stderr.write(JSON.stringify({ loaded: loaded.sort(), asked })));`;

const loadedBy = async (options: readonly string[]): Promise<{ loaded: string[]; asked: number }> => {
  const list = `data:text/javascript,${encodeURIComponent(listing)}`;
  const { stderr } = await promisify(execFile)(process.execPath, ['--import', list, ...options, '--help'], {
    cwd: root,
  });
  return JSON.parse(stderr);
};

it('a quick start loads the same modules, and asks Node for few of drizzle-orm', async () => {
  const script = 'src/cli.ts';
  const [quick, plain] = await Promise.all([loadedBy([...quickStartOptions, script]), loadedBy([script])]);
  const own = /\/src\/runtime\/node\/quick-start\.ts /;
  expect(quick.loaded.filter((each) => own.test(each))).toHaveLength(1);
  expect(quick.loaded.filter((each) => !own.test(each))).toEqual(plain.loaded);
  const ofDrizzle = plain.loaded.filter((each) => each.includes('/node_modules/drizzle-orm/')).length;
  expect(ofDrizzle).toBeGreaterThan(50);
  expect(plain.asked).toBeGreaterThan(ofDrizzle);
  expect(quick.asked).toBeLessThan(10);
});

it('what quick-start.ts takes for granted of drizzle-orm is true: one package.json, for all its folders', () => {
  expect(globSync('node_modules/drizzle-orm/**/package.json', { cwd: root })).toEqual([
    'node_modules/drizzle-orm/package.json',
  ]);
});
