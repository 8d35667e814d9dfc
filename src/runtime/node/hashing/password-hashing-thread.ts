import { type MessagePort, parentPort, receiveMessageOnPort } from 'node:worker_threads';
import { hashNow, verifyNow } from '../../../modules/auth/passwords/argon2.node.ts';
import { answerTogether } from './answers-together.ts';
import type { Done, Job } from './password-hashing-threads.ts';
import { giveWay } from './thread-priority.ts';

const doJob = ({ id, phc, password }: Job): Done => {
  try {
    return { id, value: phc === null ? hashNow(password) : verifyNow(phc, password) };
  } catch (error) {
    return { id, failure: error instanceof Error ? error.message : 'unknown' };
  }
};

const takeArrived = (port: MessagePort): Job[] => {
  const jobs: Job[] = [];
  for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port))
    jobs.push(next.message);
  return jobs;
};

const serve = (port: MessagePort): void => {
  const give = (done: Done[]) => port.postMessage(done);
  port.on('message', (job: Job) => answerTogether(job, () => takeArrived(port), doJob, give));
};

// A login waits for its hash anyway; other requests should not have to wait.
giveWay();
if (parentPort !== null) serve(parentPort);
