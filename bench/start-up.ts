// The cost of a Worker's start: the CPU of a fresh workerd until it listens, with the script and with an empty one in
// turn. The difference is the parsing and the evaluation of the script, its threads included.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { threadMillisecondsOf } from './processes.ts';

const workerd: string = createRequire(import.meta.resolve('miniflare'))('workerd').default;

/** As wrangler.toml has them. */
export const compatibility = {
  date: '2026-10-01',
  flags: ['nodejs_compat', 'global_fetch_strictly_public'],
};

/** The first module is the Worker. */
const configOf = (modules: readonly string[]): string => {
  const kind = (name: string) => (name.endsWith('.wasm') ? 'wasm' : 'esModule');
  const listed = modules.map((name) => `(name = "${name}", ${kind(name)} = embed "${name}")`);
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
const main :Workerd.Worker = (
  modules = [${listed.join(', ')}],
  compatibilityDate = "${compatibility.date}",
  compatibilityFlags = ${JSON.stringify(compatibility.flags)}
);
`;
};

const untilItListens = async (child: ChildProcess): Promise<void> => {
  const complaints = text(child.stderr as Readable);
  for await (const line of createInterface(child.stdio[3] as Readable))
    if (JSON.parse(line).event === 'listen') return;
  throw new Error(`workerd ended before it listened: ${await complaints}`);
};

const startOnce = async (folder: string): Promise<number> => {
  const child = spawn(workerd, ['serve', 'config.capnp', '--control-fd=3'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  });
  const ended = once(child, 'close');
  try {
    await untilItListens(child);
    return threadMillisecondsOf(child.pid ?? 0);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
};

/** Starts the Worker of the modules in `built`, its own first: CPU milliseconds beyond those of an empty one's start. */
export const starter = (built: string, modules: readonly string[]): (() => Promise<number>) => {
  const empty = join(built, 'empty');
  mkdirSync(empty);
  writeFileSync(join(empty, 'worker.js'), 'export default { fetch: () => new Response() };');
  writeFileSync(join(empty, 'config.capnp'), configOf(['worker.js']));
  writeFileSync(join(built, 'config.capnp'), configOf(modules));
  return async () => {
    const floor = await startOnce(empty);
    return (await startOnce(built)) - floor;
  };
};
