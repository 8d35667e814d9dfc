import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { ResultSet } from '@libsql/client';
import type { Place } from './connection.ts';
import { DatabaseUnavailableError } from './errors.ts';
import type { Apart, GroupWrite } from './group.ts';
import { programBeside } from './program-beside.ts';
import { makeTexts, receiveError, receiveOutcomes, type SentAnswer } from './sent.ts';
import type { Outcome } from './work.ts';

/** The data that the thread is started with. */
export interface ThreadData {
  place: Place;
  groupBudgetMs: number;
  port: MessagePort;
  /** Counts the answers, so that one can be waited for without the event loop. */
  answered: Int32Array<SharedArrayBuffer>;
}

/** Called with the outcome of a group. */
export interface Then {
  committed: (outcomes: Outcome<ResultSet[]>[]) => void;
  failed: (error: unknown) => void;
}

export interface Writer {
  /** Commits one group and calls back; the next may be given then. */
  commit: (group: readonly GroupWrite[], apart: Apart, then: Then) => void;
  /** The file is reopened before the next group: another connection has changed its schema. */
  reopen: () => void;
  counts: () => { busyCount: number; reconnectCount: number };
  /** Waits for the group under way and calls back, closes the file and ends the thread, all before it returns. */
  close: () => void;
}

interface Thread {
  worker: Worker;
  port: MessagePort;
  answered: Int32Array<SharedArrayBuffer>;
}

/** How long a close waits for the thread; a commit takes some milliseconds. */
const closeWithinMs = 10_000;

const startThread = (given: Pick<ThreadData, 'place' | 'groupBudgetMs'>, program: URL): Thread => {
  const { port1: port, port2 } = new MessageChannel();
  const answered = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: ThreadData = { ...given, port: port2, answered };
  const worker = new Worker(program, { workerData, transferList: [port2], name: 'writing' });
  return { worker, port, answered };
};

/**
 * Commits in a thread with a connection of its own, so that requests are read and answered while a commit waits for the
 * disk. The thread starts at once and is replaced if it dies; whether its last group was written is then unknown.
 */
export const startWriter = (
  given: Pick<ThreadData, 'place' | 'groupBudgetMs'>,
  onBusy?: (() => void) | undefined,
  program = programBeside(import.meta.url, 'writing-thread'),
): Writer => {
  const texts = makeTexts();
  let thread: Thread | undefined;
  let waiting: Then | undefined;
  let busyCount = 0;
  let reconnectCount = 0;
  let before = { busyCount: 0, reconnectCount: 0 };

  const count = (answer: SentAnswer): void => {
    if (answer.busyCount > before.busyCount) onBusy?.();
    busyCount += answer.busyCount - before.busyCount;
    reconnectCount += answer.reconnectCount - before.reconnectCount;
    before = { busyCount: answer.busyCount, reconnectCount: answer.reconnectCount };
  };
  const settle = (answer: SentAnswer): void => {
    const then = waiting;
    waiting = undefined;
    thread?.worker.unref();
    thread?.port.unref();
    count(answer);
    if (answer.outcomes !== undefined) then?.committed(receiveOutcomes(answer.outcomes));
    else then?.failed(receiveError(answer.error ?? { message: 'no answer' }));
  };
  const giveUp = (why: string): void => {
    const then = waiting;
    waiting = undefined;
    then?.failed(new DatabaseUnavailableError('io', why));
  };
  const ended = (worker: Worker, why: string): void => {
    if (thread?.worker !== worker) return;
    thread.port.close();
    thread = undefined;
    texts.forget();
    before = { busyCount: 0, reconnectCount: 0 };
    giveUp(why);
  };
  const start = (): Thread => {
    const started = startThread(given, program);
    const { worker, port } = started;
    port.on('message', settle);
    let why = '';
    // After an error in the thread, its `exit` event follows too.
    worker.on('error', (error: Error) => {
      why = `: ${error.message}`;
    });
    worker.on('exit', () => ended(worker, `the writing thread ended${why}`));
    // Last, because listeners keep the process alive; during a commit the thread keeps it alive.
    worker.unref();
    port.unref();
    return started;
  };
  const receiveNow = ({ port, answered }: Thread): unknown => {
    const deadline = performance.now() + closeWithinMs;
    for (;;) {
      const seen = Atomics.load(answered, 0);
      const received = receiveMessageOnPort(port);
      if (received !== undefined) return received.message;
      const leftMs = deadline - performance.now();
      if (leftMs <= 0 || Atomics.wait(answered, 0, seen, leftMs) === 'timed-out') return undefined;
    }
  };
  thread = start();

  return {
    commit: (group, apart, then) => {
      thread ??= start();
      waiting = then;
      thread.worker.ref();
      thread.port.ref();
      thread.port.postMessage(texts.send(group, apart));
    },
    reopen: texts.forget,
    counts: () => ({ busyCount, reconnectCount }),
    close: () => {
      const closing = thread;
      if (closing === undefined) return;
      closing.port.postMessage('close');
      for (let message = receiveNow(closing); message !== 'closed'; message = receiveNow(closing)) {
        if (message === undefined) break;
        settle(message as SentAnswer);
      }
      thread = undefined;
      giveUp('the writing thread did not answer');
      closing.port.close();
      void closing.worker.terminate();
    },
  };
};
