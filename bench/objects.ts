// How long the queue of a clinic in a Durable Object takes while sixteen people log in, beside an idle one, and whether a
// hundred at once on one seat get it once: node bench/objects.ts [--pairs 5] [--reads 500]. The object runs in miniflare's
// workerd. Who logs in and who hashes is a thread of its own, as both are other machines on the platform: what is measured is
// whether the object waits for hashes, and not who computes them. Both rounds of a pair are measured one after the other, the
// idle one first in every other pair: the middle of the pairs' ratios counts.

import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { Response as Answer, convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { buildWorker } from '../scripts/build-worker.ts';
import { demoIds } from '../src/modules/demo/demo.ts';
import type { Asked } from './objects-callers.ts';
import { printTable } from './table.ts';

const { values } = parseArgs({
  options: { pairs: { type: 'string', default: '5' }, reads: { type: 'string', default: '500' } },
});
const pairs = Math.max(1, Number(values.pairs));
const reads = Math.max(1, Number(values.reads));
const peopleAtOnce = 16;
const onOneSeat = 100;
const atMost = 2;
/** A clinic's screens and phones ask so often. */
const everyMs = 20;
const secret = 'the-operators-secret-of-this-bench-0123456789';

const clinic = {
  ...{ id: 'bench', name: 'bench', timeZone: 'Asia/Jakarta', hosts: ['bench.example'], state: 'open' },
  ...{ stateSince: 0, settings: {}, file: null, schema: null, dueAt: null, usedAt: null, problem: null },
  createdAt: 0,
};

/** Calls the object as the front does, and lets another process hash. */
const caller = `
import { RpcTarget } from 'cloudflare:workers';
import worker, { Clinic, Directory } from './worker-objects.js';
export { Clinic, Directory };
class Elsewhere extends RpcTarget {
  #hasher;
  constructor(hasher) { super(); this.#hasher = hasher; }
  async #ask(given) {
    const answer = await this.#hasher.fetch('http://hasher/', { method: 'POST', body: JSON.stringify(given) });
    return answer.json();
  }
  hash(password) { return this.#ask({ phc: null, password }); }
  verify(phc, password) { return this.#ask({ phc, password }); }
}
const clinic = ${JSON.stringify(clinic)};
export default {
  fetch(asked, env) {
    const { pathname, search } = new URL(asked.url);
    const request = new Request('https://bench.example' + pathname + search, asked);
    if (pathname.startsWith('/operator/')) return worker.fetch(request, env);
    return env.CLINIC.get(env.CLINIC.idFromName(clinic.id)).serve(clinic, request, new Elsewhere(env.HASHER));
  },
};`;

const folder = mkdtempSync(join(tmpdir(), 'janji-bench-'));
await buildWorker(folder, 'worker-objects');
const callers = new Worker(new URL('./objects-callers.ts', import.meta.url), { name: 'callers' });
const [{ port: hasherPort }] = (await once(callers, 'message')) as [{ port: number }];
const file = (name: string): Buffer => readFileSync(join(folder, name));
const miniflare = new Miniflare(
  convertV4MiniflareOptions({
    modules: [
      { type: 'ESModule', path: 'caller.js', contents: caller },
      { type: 'ESModule', path: 'worker-objects.js', contents: file('worker-objects.js').toString() },
      { type: 'CompiledWasm', path: 'argon2.wasm', contents: file('argon2.wasm') },
    ],
    compatibilityDate: '2026-10-01',
    compatibilityFlags: ['nodejs_compat'],
    durableObjects: {
      CLINIC: { className: 'Clinic', useSQLite: true },
      DIRECTORY: { className: 'Directory', useSQLite: true },
    },
    bindings: {
      JWT_SECRET: 'a-secret-that-is-used-by-this-bench-only-01234567',
      DATA_KEY: '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff',
      OPERATOR_SECRET: secret,
      DEMO: 'on',
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'silent',
    },
    serviceBindings: {
      // The list of common passwords, which a registration asks for.
      ASSETS: () => new Answer('none'),
      HASHER: { external: { address: `127.0.0.1:${hasherPort}`, http: {} } },
    },
  }),
);

/** Fails once the callers do: nobody would answer any more. */
const ended = once(callers, 'exit').then((): never => {
  throw new Error('The callers ended.');
});
ended.catch(() => {});
let url = '';
let asks = 0;
/** Lets the callers do something, and waits until they have. */
const callersDo = async <Done = number>(asked: Asked): Promise<Done> => {
  asks += 1;
  const at = asks;
  const answered = new Promise<Done>((resolve, reject) => {
    const hear = (heard: { at: number; done?: Done; failure?: string }): void => {
      if (heard.at !== at) return;
      callers.off('message', hear);
      if (heard.failure === undefined) resolve(heard.done as Done);
      else reject(new Error(heard.failure));
    };
    callers.on('message', hear);
  });
  callers.postMessage({ at, url, asked });
  return Promise.race([answered, ended]);
};

const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
const sort = (all: readonly number[]): number[] => [...all].sort((a, b) => a - b);

/** How long each read of the queue takes, one after another at a steady pace. */
const measureQueue = async (count = reads): Promise<number[]> => {
  const [doctor] = demoIds.doctors;
  const took: number[] = [];
  for (let nth = 0; nth < count; nth++) {
    const began = performance.now();
    const answer = await fetch(`${url}/v1/doctors/${doctor}/queue`);
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`The queue answered ${answer.status}.`);
    took.push(performance.now() - began);
    await sleep(Math.max(0, everyMs - (performance.now() - began)));
  }
  return sort(took);
};

interface Round {
  took: number[];
  logins: number;
}

const measure = {
  idle: async (): Promise<Round> => ({ took: await measureQueue(), logins: 0 }),
  loaded: async (): Promise<Round> => {
    await callersDo({ do: 'log in', people: peopleAtOnce });
    // Until all of them wait for a hash.
    await measureQueue(20);
    const took = await measureQueue();
    return { took, logins: await callersDo({ do: 'stop' }) };
  },
};

try {
  url = (await miniflare.ready).href.replace(/\/$/, '');
  const { id, name, hosts } = clinic;
  const made = await fetch(`${url}/operator/api/clinics`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ id, name, hosts, demo: true }),
  });
  if (made.status !== 201) throw new Error(`No clinic was made: ${await made.text()}`);
  const counted = await callersDo<Record<string, number>>({ do: 'book', people: onOneSeat });
  // V8 compiles what runs often: neither round may be the first.
  await callersDo({ do: 'log in', people: peopleAtOnce });
  await measureQueue(200);
  await callersDo({ do: 'stop' });
  await measureQueue(200);

  const rows: string[][] = [];
  const ratios: number[] = [];
  const p99s: Record<keyof typeof measure, number[]> = { idle: [], loaded: [] };
  for (let pair = 1; pair <= pairs; pair++) {
    const order = pair % 2 === 1 ? (['idle', 'loaded'] as const) : (['loaded', 'idle'] as const);
    for (const kind of order) {
      const { took, logins } = await measure[kind]();
      const p99 = quantile(took, 0.99);
      p99s[kind].push(p99);
      const cells = [quantile(took, 0.5), p99].map((ms) => ms.toFixed(1));
      rows.push([String(pair), kind, ...cells, String(took.length), String(logins)]);
    }
    ratios.push((p99s.loaded.at(-1) ?? Number.NaN) / (p99s.idle.at(-1) ?? Number.NaN));
  }
  printTable(['pair', 'the queue of a clinic in an object', 'p50 ms', 'p99 ms', 'reads', 'logins'], rows);
  const sorted = sort(ratios);
  const middle = quantile(sorted, 0.5);
  const two = (ratio: number | undefined): string => (ratio ?? Number.NaN).toFixed(2);
  const isOnce = counted['201'] === 1;
  process.stdout.write(
    [
      `p99 while ${peopleAtOnce} log in, to idle, pair by pair: ${ratios.map(two).join(', ')}`,
      `the middle one is ${two(middle)}, from ${two(sorted[0])} to ${two(sorted.at(-1))}; at most ${atMost}: ${middle <= atMost ? 'holds' : 'does not hold'}`,
      `${onOneSeat} at once on one seat: ${Object.entries(counted)
        .map(([got, count]) => `${count} × ${got}`)
        .join(', ')}; exactly 1: ${isOnce ? 'holds' : 'does not hold'}`,
      '',
    ].join('\n'),
  );
  if (middle > atMost || !isOnce) process.exitCode = 1;
} finally {
  await callers.terminate();
  await miniflare.dispose();
  rmSync(folder, { recursive: true, force: true });
}
