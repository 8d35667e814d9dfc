import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Readonly<Record<'start' | 'dev' | 'janji', string>>;
};

/**
 * Node's arguments in a script of package.json, for any working directory: tests start the same programs as people do.
 */
const argumentsOf = (script: 'start' | 'dev' | 'janji'): string[] =>
  scripts[script]
    .split(' ')
    .slice(1)
    .map((each) => (/^(\.\/)?(src|scripts|dist)\//.test(each) ? join(root, each) : each));

/** The arguments that make a program with the service's files start sooner. */
export const quickStartOptions: readonly string[] = [
  '--import',
  join(root, 'src/runtime/node/quick-start.ts'),
];

/** The serving process itself, without npm between. */
export const serviceArguments: readonly string[] = argumentsOf('start');

/** The Worker, as wrangler serves it on this machine. */
export const workerArguments: readonly string[] = argumentsOf('dev');

/** The command line, to be followed by a command. */
export const commandArguments: readonly string[] = argumentsOf('janji');
