// Bare argon2: verifies as many at once as there are cores, and prints how many a second.

import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';

const password = 'janji-demo-2026';
const phc = await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
const atOnce = availableParallelism();
const seconds = Number(process.argv[2] ?? 5);

let done = 0;
const startedAt = performance.now();
const verifyUntil = async (end: number): Promise<void> => {
  while (performance.now() < end) {
    if (!(await verify(phc, password))) throw new Error('The password does not match.');
    done++;
  }
};
await Promise.all(Array.from({ length: atOnce }, () => verifyUntil(startedAt + seconds * 1_000)));
process.stdout.write(`${(done / (performance.now() - startedAt)) * 1_000}\n`);
