import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { serve } from '@hono/node-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedDemo } from '../../../src/modules/demo/demo.ts';
import { bookingInput, createPractice } from '../../support/clinic.ts';
import { createWorld, password, registerPatient, type World } from '../../support/world.ts';

const bin = (name: string) => resolve('node_modules/.bin', name);
const project = mkdtempSync(join(tmpdir(), 'janji-client-'));

const compilerOptions = {
  strict: true,
  module: 'nodenext',
  target: 'es2024',
  lib: ['es2024', 'dom'],
  types: [],
  skipLibCheck: true,
  noEmit: true,
};

const compile = (program: string) => {
  writeFileSync(join(project, 'program.ts'), program);
  return spawnSync(bin('tsc'), ['-p', project], { encoding: 'utf8' });
};

const start = `import { createClient } from 'janji-client';
const janji = createClient(process.argv[2], { token: () => process.argv[3], language: 'en' });`;

const ambient = 'declare const process: { argv: [string, string, string, string, string] };';

const right = `${start}
import type { WebhookEvent } from 'janji-client';
const bookingInput = JSON.parse(process.argv[4]) as { doctor_id: string; session_id: string; schedule_date: string; schedule_time: string };
const first = await (await janji.v1.bookings.$post({ json: bookingInput })).json();
if (first.status === 'error') throw new Error(first.message);
const again = await (await janji.v1.bookings.$post({ json: bookingInput })).json();
const clash: string = again.status === 'error' && again.code === 'patient_busy' ? (again.booking_id ?? '') : '';
const history = await (await janji.v1.bookings.history.$get({ query: { limit: '1' } })).json();
const approved = (event: WebhookEvent): string => (event.type === 'booking.approved' ? event.data.booking_id : '');
if (approved.length !== 1) throw new Error('never');
if (history.status === 'success') console.log(first.data.id === clash, history.data[0]?.id === first.data.id);
`;

const listen = async ({ app }: World) => {
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, close: () => once(server.close(), 'close') };
};

/** Runs program.ts and gives all that it said. */
const runProgram = async (options: string[]): Promise<string> => {
  const env = { ...process.env, NODE_OPTIONS: '' };
  const child = spawn(process.execPath, ['program.ts', ...options], { cwd: project, env });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  await once(child, 'close');
  return said;
};

const npm = (folder: string, ...options: string[]): string =>
  execFileSync('npm', options, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** The tarball of a package, made in the project's folder. */
const packed = (folder: string): string =>
  `file:./${npm(folder, 'pack', '--silent', '--pack-destination', project).split('\n').at(-1)}`;

/** The packages in the project's node_modules, and their total size in bytes. */
const installed = () => {
  const modules = join(project, 'node_modules');
  const files = readdirSync(modules, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(modules, path)).isFile(),
  );
  const packages = readdirSync(modules).filter((name) => !name.startsWith('.'));
  return { packages, bytes: files.reduce((sum, path) => sum + statSync(join(modules, path)).size, 0) };
};

describe('a project outside the repository that installs the client', () => {
  beforeAll(() => {
    const [client, hono] = [packed('client'), packed('node_modules/hono')];
    // Without a network: whatever else the client depended on could not be found.
    const own = { type: 'module', dependencies: { 'janji-client': client }, overrides: { hono } };
    writeFileSync(join(project, 'package.json'), JSON.stringify(own));
    npm(project, 'install', '--offline', '--no-audit', '--no-fund');
    writeFileSync(
      join(project, 'ambient.d.ts'),
      `${ambient}\ndeclare const console: { log(...all: unknown[]): void };`,
    );
    const tsconfig = { compilerOptions, files: ['program.ts', 'ambient.d.ts'] };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(tsconfig));
  });
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  it('gets hono and nothing else, in less than 3 MB', () => {
    const { packages, bytes } = installed();
    expect(packages.sort()).toEqual(['hono', 'janji-client']);
    expect(bytes).toBeLessThan(3_000_000);
    const { dependencies } = JSON.parse(readFileSync('client/package.json', 'utf8'));
    const { devDependencies: ours } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(dependencies).toEqual({ hono: ours.hono });
  });

  it('compiles and runs right calls, with failures typed by code', async () => {
    expect(compile(right).stdout).toBe('');
    const world = await createWorld();
    const practice = await createPractice(world);
    const { token } = await registerPatient(world, { password, password_confirmation: password });
    const server = await listen(world);
    const said = await runProgram([server.url, token, JSON.stringify(bookingInput(practice))]);
    await server.close();
    expect(said).toBe('true true\n');
  });

  it('compiles and runs the calls of docs/integrating.md, one after another', async () => {
    const text = readFileSync('docs/integrating.md', 'utf8');
    const blocks = [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, block]) => block);
    expect(blocks.length).toBeGreaterThan(4);
    const base = 'http://127.0.0.1:8787';
    expect(compile(blocks.join('\n')).stdout).toBe('');
    const world = await createWorld();
    await seedDemo(world.db, world.deps.hasher, world.clock.now);
    const server = await listen(world);
    const program = `${blocks.join('\n').replace(base, server.url)}\nconsole.log(booked.status);`;
    writeFileSync(join(project, 'program.ts'), program);
    const said = await runProgram([]);
    await server.close();
    expect(said).toMatch(
      /^\S+ Putri Pasien self\n\S+ Bagus Putra child\n(\S+ .* (child|spouse)\n)*2026-11-23 .*waiting\n[\s\S]*success\n$/,
    );
  });

  for (const [what, call] of [
    ['a wrong field', `await janji.v1.bookings.$post({ json: { doctor: 'x' } });`],
    ['a path that is not served', 'await janji.v1.reservations.$get();'],
    [
      'a fact of another failure',
      `const a = await (await janji.v1.auth.login.$post({ json: { email: '', password: '' } })).json();
if (a.status === 'error' && a.code === 'invalid_credentials') a.booking_id;`,
    ],
  ] as const)
    it(`does not compile ${what}`, () => {
      expect(compile(`${start}\n${call}\n`).stdout).toMatch(/program\.ts\(\d+,\d+\): error TS/);
    });
});
