// What a Worker's start costs: the CPU of a fresh workerd until it listens, with the script and with an empty one in
// turn. What it takes beyond the empty one is the parsing and the evaluation of the script, its threads included.

import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

const workerd: string = createRequire(import.meta.resolve('miniflare'))('workerd').default;

const configOf = (modules: readonly string[]): string => {
  const listed = modules.map(
    (name) => `(name = "${name}", ${name.endsWith('.wasm') ? 'wasm' : 'esModule'} = embed "${name}")`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
const main :Workerd.Worker = (
  modules = [${listed.join(', ')}],
  compatibilityDate = "2026-10-01",
  compatibilityFlags = ["nodejs_compat", "global_fetch_strictly_public"]
);
`;
};

const moduleNames = (folder: string): string[] =>
  // The script comes first: workerd takes the first module for the Worker.
  readdirSync(folder)
    .filter((name) => /\.(js|wasm)$/.test(name))
    .sort((a, b) => Number(a.endsWith('.wasm')) - Number(b.endsWith('.wasm')));

/** CPU milliseconds of a process's threads so far; workerd ends none of them. */
const cpuMillisecondsOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
    return sum + Number(nanoseconds) / 1e6;
  }, 0);

const untilItListens = (child: ChildProcess): Promise<void> =>
  new Promise((listening, failed) => {
    (child.stdio[3] as Readable).on('data', (told) => String(told).includes('"port"') && listening());
    child.on('exit', (code) => failed(new Error(`workerd ended with ${code}.`)));
  });

const startOnce = async (folder: string): Promise<number> => {
  const child = spawn(workerd, ['serve', 'config.capnp', '--control-fd=3'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise((done) => child.on('close', done));
  try {
    await untilItListens(child);
    return cpuMillisecondsOf(child.pid ?? 0);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
};

/** CPU milliseconds of each start beyond those of an empty Worker's, for the modules in `built`. */
export const measureStarts = async (built: string, folder: string, starts: number): Promise<number[]> => {
  const ours = join(folder, 'ours');
  const empty = join(folder, 'empty');
  cpSync(built, ours, { recursive: true });
  mkdirSync(empty);
  writeFileSync(join(empty, 'worker.js'), 'export default { fetch: () => new Response() };');
  for (const place of [ours, empty]) writeFileSync(join(place, 'config.capnp'), configOf(moduleNames(place)));
  const beyond: number[] = [];
  for (let n = 0; n < starts; n++) {
    const floor = await startOnce(empty);
    beyond.push((await startOnce(ours)) - floor);
  }
  return beyond;
};
