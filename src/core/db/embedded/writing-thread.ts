import { workerData } from 'node:worker_threads';
import { commitGroup } from './group.ts';
import { receiveGroup, type SentAnswer, type SentGroup, sendError, sendOutcomes } from './sent.ts';
import { makeSession } from './session.ts';
import type { ThreadData } from './writer.ts';

// Commits on a connection of its own what the main thread sends, one group after another. The main thread waits for
// each answer before it sends the next.

const { place, port, answered, groupBudgetMs } = workerData as ThreadData;
const session = makeSession({ ...place, clock: Date.now, mayCreate: false });
const texts: string[] = [];

const commit = (sent: SentGroup): Pick<SentAnswer, 'outcomes' | 'error'> => {
  const group = receiveGroup(sent, texts);
  try {
    if (sent.reopens) session.drop();
    const outcomes = session.write((connection) => commitGroup(connection, group, sent.apart, groupBudgetMs));
    return { outcomes: sendOutcomes(outcomes) };
  } catch (error) {
    return { error: sendError(error) };
  }
};

const answer = (message: SentAnswer | 'closed' | 'ready'): void => {
  port.postMessage(message);
  // Wakes a main thread that waits without its event loop.
  Atomics.add(answered, 0, 1);
  Atomics.notify(answered, 0);
};

port.on('message', (message: SentGroup | 'close') => {
  if (message !== 'close') return answer({ ...commit(message), ...session.counts() });
  session.drop();
  answer('closed');
  port.close();
});
answer('ready');
