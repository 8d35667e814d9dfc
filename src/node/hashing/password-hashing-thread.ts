import { parentPort } from 'node:worker_threads';
import { hashNow, verifyNow } from '../../auth/passwords/argon2.node.ts';
import type { Done, Job } from './password-hashing-threads.ts';
import { giveWay } from './thread-priority.ts';

const doJob = ({ id, phc, password }: Job): Done => {
  try {
    return { id, value: phc === null ? hashNow(password) : verifyNow(phc, password) };
  } catch (error) {
    return { id, failure: error instanceof Error ? error.message : 'unknown' };
  }
};

// A login waits for its hash anyway; other requests should not have to wait.
giveWay();
parentPort?.on('message', (job: Job) => parentPort?.postMessage(doJob(job)));
