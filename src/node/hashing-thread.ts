import { parentPort } from 'node:worker_threads';
import { hashNow, verifyNow } from '../auth/passwords/argon2.node.ts';
import type { Done, Job } from './hashing-threads.ts';

const doJob = ({ id, phc, password }: Job): Done => {
  try {
    return { id, value: phc === null ? hashNow(password) : verifyNow(phc, password) };
  } catch (error) {
    return { id, failure: error instanceof Error ? error.message : 'unknown' };
  }
};

parentPort?.on('message', (job: Job) => parentPort?.postMessage(doJob(job)));
