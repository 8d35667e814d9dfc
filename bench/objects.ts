// How long the queue of a clinic in a Durable Object takes while sixteen people log in, beside an idle one: node
// bench/objects.ts [--seconds 5]. The object runs in miniflare's workerd. The front that hashes for it is this process, as it
// is another machine on the platform: what is measured is whether the object waits for hashes, and not who computes them.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Response as Answer, convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { buildWorker } from '../scripts/build-worker.ts';
import { demoIds, demoPassword } from '../src/modules/demo/demo.ts';
import { passwordHashingThreads } from '../src/runtime/node/hashing/password-hashing-threads.ts';
import { printTable } from './table.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '5' } } });
const runMs = Number(values.seconds) * 1_000;
const peopleAtOnce = 16;
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
    const answer = await this.#hasher.fetch('https://hasher/', { method: 'POST', body: JSON.stringify(given) });
    return answer.json();
  }
  hash(password) { return this.#ask({ phc: null, password }); }
  verify(phc, password) { return this.#ask({ phc, password }); }
}
const clinic = ${JSON.stringify(clinic)};
export default {
  fetch(request, env) {
    if (new URL(request.url).pathname.startsWith('/operator/')) return worker.fetch(request, env);
    return env.CLINIC.get(env.CLINIC.idFromName(clinic.id)).serve(clinic, request, new Elsewhere(env.HASHER));
  },
};`;

const folder = mkdtempSync(join(tmpdir(), 'janji-bench-'));
await buildWorker(folder, 'worker-objects');
// One, so that a core is left for the object.
const hasher = passwordHashingThreads(1);
const miniflare = new Miniflare(
  convertV4MiniflareOptions({
    modules: [
      { type: 'ESModule', path: 'caller.js', contents: caller },
      {
        type: 'ESModule',
        path: 'worker-objects.js',
        contents: readFileSync(join(folder, 'worker-objects.js'), 'utf8'),
      },
      {
        type: 'CompiledWasm',
        path: 'argon2.wasm',
        contents: readFileSync(join(folder, 'argon2.wasm')),
      },
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
      HASHER: async (request) => {
        const { phc, password } = (await request.json()) as { phc: string | null; password: string };
        return new Answer(
          JSON.stringify(phc === null ? await hasher.hash(password) : await hasher.verify(phc, password)),
        );
      },
    },
  }),
);

const ask = (path: string, json?: object, headers: Record<string, string> = {}) =>
  miniflare.dispatchFetch(`https://bench.example${path}`, {
    method: json === undefined ? 'GET' : 'POST',
    headers: { ...(json !== undefined && { 'Content-Type': 'application/json' }), ...headers },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });

const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;

/** How long each read of the queue takes, one after another at a steady pace. */
const measureQueue = async (): Promise<number[]> => {
  const [doctor] = demoIds.doctors;
  const took: number[] = [];
  for (const until = performance.now() + runMs; performance.now() < until; ) {
    const began = performance.now();
    const answer = await ask(`/v1/doctors/${doctor}/queue`);
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`The queue answered ${answer.status}.`);
    took.push(performance.now() - began);
    await sleep(Math.max(0, everyMs - (performance.now() - began)));
  }
  return took.sort((a, b) => a - b);
};

let isOver = false;
let logins = 0;
const logInOnAndOn = async (): Promise<void> => {
  while (!isOver) {
    const answer = await ask('/v1/auth/login', { email: 'pasien@klinik.example', password: demoPassword });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`A login answered ${answer.status}.`);
    logins += 1;
  }
};

try {
  const { id, name, hosts } = clinic;
  const made = await ask(
    '/operator/api/clinics',
    { id, name, hosts, demo: true },
    { Authorization: `Bearer ${secret}` },
  );
  if (made.status !== 201) throw new Error(`No clinic was made: ${await made.text()}`);
  // The first ones compile and open.
  for (let nth = 0; nth < 50; nth++) await (await ask('/v1/doctors')).arrayBuffer();
  const idle = await measureQueue();
  const people = Array.from({ length: peopleAtOnce }, logInOnAndOn);
  const busy = await measureQueue();
  isOver = true;
  await Promise.all(people);
  const ms = (took: readonly number[], part: number): string => quantile(took, part).toFixed(1);
  printTable(
    ['the queue of a clinic in an object', 'p50 ms', 'p99 ms', 'reads'],
    [
      ['idle', ms(idle, 0.5), ms(idle, 0.99), String(idle.length)],
      [`while ${peopleAtOnce} log in (${logins} logins)`, ms(busy, 0.5), ms(busy, 0.99), String(busy.length)],
    ],
  );
  const ratio = quantile(busy, 0.99) / quantile(idle, 0.99);
  process.stdout.write(`p99 to idle: ${ratio.toFixed(2)} (at most 2)\n`);
  if (ratio > 2) process.exitCode = 1;
} finally {
  await hasher.end();
  await miniflare.dispose();
  rmSync(folder, { recursive: true, force: true });
}
