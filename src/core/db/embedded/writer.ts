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
  /** Whether the thread takes groups; while it does not, they are committed where they are made. */
  isReady: () => boolean;
  /** Tells how long a commit took that was made without the thread. */
  committedHere: (ms: number) => void;
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
  isReady: boolean;
}

/** When there is a thread: it takes some 10 MB, and a clinic writes little at night. */
interface Demand {
  /** How much of a second commits may take without it, in milliseconds. */
  hereMs: number;
  /** For how long it stays without a group. */
  idleMs: number;
}

const underLoad: Demand = { hereMs: 50, idleMs: 30_000 };

export interface WriterOptions {
  onBusy?: (() => void) | undefined;
  /** Whether the thread is started at once and stays, or only while commits take much time. */
  when?: 'always' | 'under load';
  demand?: Demand;
  program?: URL | undefined;
}

/** How long a close waits for the thread; a commit takes some milliseconds. */
const closeWithinMs = 10_000;

const startThread = (given: Pick<ThreadData, 'place' | 'groupBudgetMs'>, program: URL): Thread => {
  const { port1: port, port2 } = new MessageChannel();
  const answered = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData: ThreadData = { ...given, port: port2, answered };
  const worker = new Worker(program, { workerData, transferList: [port2], name: 'writing' });
  return { worker, port, answered, isReady: false };
};

/** Adds up how long commits took in the running second. */
const makeSecond = () => {
  let began = Number.NEGATIVE_INFINITY;
  let tookMs = 0;
  return (ms: number): number => {
    const now = performance.now();
    if (now - began > 1_000) {
      began = now;
      tookMs = 0;
    }
    tookMs += ms;
    return tookMs;
  };
};

/**
 * Commits in a thread with a connection of its own, so that requests are read and answered while a commit waits for the
 * disk. A thread that dies is replaced; whether its last group was written is then unknown.
 */
export const startWriter = (
  given: Pick<ThreadData, 'place' | 'groupBudgetMs'>,
  {
    onBusy,
    when = 'always',
    demand = underLoad,
    program = programBeside(import.meta.url, 'writing-thread'),
  }: WriterOptions = {},
): Writer => {
  const takenInSecond = makeSecond();
  let idle: NodeJS.Timeout | undefined;
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
  const rest = (): void => {
    if (when === 'under load') idle = idle?.refresh() ?? setTimeout(endIdle, demand.idleMs).unref();
  };
  const settle = (answer: SentAnswer): void => {
    const then = waiting;
    waiting = undefined;
    thread?.worker.unref();
    thread?.port.unref();
    rest();
    count(answer);
    if (answer.outcomes !== undefined) then?.committed(receiveOutcomes(answer.outcomes));
    else then?.failed(receiveError(answer.error ?? { message: 'no answer' }));
  };
  const giveUp = (why: string): void => {
    const then = waiting;
    waiting = undefined;
    then?.failed(new DatabaseUnavailableError('io', why));
  };
  const leave = (): void => {
    thread = undefined;
    clearTimeout(idle);
    idle = undefined;
    texts.forget();
    before = { busyCount: 0, reconnectCount: 0 };
  };
  const ended = (worker: Worker, why: string): void => {
    if (thread?.worker !== worker) return;
    thread.port.close();
    leave();
    giveUp(why);
  };
  const endIdle = (): void => {
    if (waiting !== undefined) return void idle?.refresh();
    // It closes its file and its port, and ends as nothing keeps it alive.
    thread?.port.postMessage('close');
    leave();
  };
  const start = (): Thread => {
    const started = startThread(given, program);
    const { worker, port } = started;
    port.on('message', (message: SentAnswer | 'ready' | 'closed') => {
      if (message === 'ready') {
        started.isReady = true;
        // It may get no group at all.
        if (thread === started) rest();
      } else if (message !== 'closed') settle(message);
    });
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
      if (received !== undefined && received.message !== 'ready') return received.message;
      if (received !== undefined) continue;
      const leftMs = deadline - performance.now();
      if (leftMs <= 0 || Atomics.wait(answered, 0, seen, leftMs) === 'timed-out') return undefined;
    }
  };
  if (when === 'always') thread = start();

  return {
    isReady: () => when === 'always' || thread?.isReady === true,
    committedHere: (ms) => {
      if (takenInSecond(ms) > demand.hereMs) thread ??= start();
    },
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
      leave();
      giveUp('the writing thread did not answer');
      closing.port.close();
      void closing.worker.terminate();
    },
  };
};
