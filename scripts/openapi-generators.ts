// Makes clients of the served documents with openapi-generator, the most used generator, and compiles them: Go, Java,
// Python and TypeScript. Needs java, mvn, go and python3 (Debian: default-jdk-headless, maven, golang-go, python3); the
// generator comes from Maven. A missing tool is reported and its language skipped; a client that does not compile
// fails. node scripts/openapi-generators.ts

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApiTemplate } from './reference.ts';

const version = '7.25.0';
const limitMs = 300_000;
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'janji-generators-'));
const jar = join(folder, `openapi-generator-cli-${version}.jar`);

interface Ran {
  isDone: boolean;
  said: string;
}

const run = (cwd: string, command: string, ...options: string[]): Promise<Ran> =>
  new Promise((resolve) => {
    const child = spawn(command, options, { cwd, timeout: limitMs });
    const parts: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => parts.push(part));
    child.on('error', ({ message }) => resolve({ isDone: false, said: message }));
    child.on('close', (code, signal) =>
      resolve({ isDone: code === 0, said: `${parts.join('')}${signal === null ? '' : 'timed out'}` }),
    );
  });

interface Language {
  generator: string;
  tool: readonly string[];
  options: readonly string[];
  /** Whether what the compiler uses can be had at all. */
  fetched: readonly string[];
  compile: readonly string[];
}

const tsc = [
  join(root, 'node_modules/.bin/tsc'),
  ...'--noEmit --skipLibCheck --strict --target es2022 --module esnext --moduleResolution bundler'.split(' '),
  ...'--lib es2022,dom index.ts'.split(' '),
];
const languages: readonly Language[] = [
  {
    generator: 'go',
    tool: ['go', 'version'],
    options: [],
    fetched: ['go', 'mod', 'download'],
    compile: ['go', 'build', './...'],
  },
  {
    generator: 'java',
    tool: ['mvn', '--version'],
    options: ['--library', 'native'],
    fetched: ['mvn', '-q', 'dependency:resolve'],
    compile: ['mvn', '-q', 'compile'],
  },
  {
    generator: 'python',
    tool: ['python3', '--version'],
    options: [],
    fetched: ['true'],
    compile: ['python3', '-m', 'compileall', '-q', 'openapi_client'],
  },
  { generator: 'typescript-fetch', tool: ['true'], options: [], fetched: ['true'], compile: tsc },
];

const cannotFetch = /could not (be resolved|transfer|resolve)|no such host|timed? ?out/i;

const isThere = async ([command = '', ...options]: readonly string[]): Promise<boolean> =>
  (await run(folder, command, ...options)).isDone;

const get = (): Promise<Ran> =>
  run(
    folder,
    'mvn',
    ...['-q', 'dependency:copy', `-Dartifact=org.openapitools:openapi-generator-cli:${version}`],
    `-DoutputDirectory=${folder}`,
  );

const compiled = async (document: string, { generator, tool, options, fetched, compile }: Language) => {
  const name = `${generator}, ${document}`;
  if (!(await isThere(tool))) return `left out: ${name} (${tool[0]} is not there)`;
  const place = join(folder, `${generator}-${document}`);
  const made = await run(
    folder,
    'java',
    ...['-jar', jar, 'generate', '-i', `${document}.json`, '-g', generator, '-o', place, ...options],
  );
  if (!made.isDone) throw new Error(`${name}: cannot be generated\n${made.said.slice(-2_000)}`);
  const [fetch = '', ...fetchOptions] = fetched;
  if (!(await run(place, fetch, ...fetchOptions)).isDone)
    return `left out: ${name} (what it uses cannot be fetched)`;
  const [command = '', ...rest] = compile;
  const { isDone, said } = await run(place, command, ...rest);
  if (!isDone && cannotFetch.test(said)) return `left out: ${name} (what it uses cannot be fetched)`;
  if (!isDone) throw new Error(`${name}: does not compile\n${said.slice(0, 4_000)}`);
  return `ok: ${name}`;
};

const main = async (): Promise<void> => {
  if (!(await isThere(['java', '-version'])) || !(await get()).isDone) {
    process.stdout.write('left out: openapi-generator cannot be fetched, or there is no java\n');
    return;
  }
  const text = new TextDecoder().decode(await openApiTemplate()).replaceAll(/\{today[^}]*\}/g, '2026-12-01');
  writeFileSync(join(folder, 'calls.json'), text);
  for (const language of languages) process.stdout.write(`${await compiled('calls', language)}\n`);
};

try {
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
