import { existsSync, writeFileSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { ThreadData } from '../../../src/core/db/embedded/writer.ts';

// A writing thread that dies at the first group that any of its kind is given for a file, and then does its work.

const { place, port } = workerData as ThreadData;
const mark = `${place.path}.died`;
if (existsSync(mark)) await import('../../../src/core/db/embedded/writing-thread.ts');
else
  port.on('message', () => {
    writeFileSync(mark, '');
    throw new Error('died as the test wants');
  });
