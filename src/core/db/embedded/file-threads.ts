import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { InArgs, InStatement, ResultSet, TransactionMode } from '@libsql/client';
import { LibsqlError } from '@libsql/client/sqlite3';
import type { EmbeddedClient } from './client.ts';
import { DatabaseUnavailableError } from './errors.ts';
import { programBeside } from './program-beside.ts';
import { receiveError, type SentError } from './sent.ts';
import { isRead } from './statement-kind.ts';
import { type BoundStatement, bind, type ResultParts, resultSet } from './values.ts';

/** A file that a thread is to open. */
export interface ThreadedPlace {
  path: string;
  key?: string | undefined;
  cacheKib: number;
  checkpointPages: number;
  /** Where several processes share the file: until when this one owns it, and as which owner of all. */
  lease?: { gate: SharedArrayBuffer; epoch: number } | undefined;
}

/** A statement by the number of its text. */
type SentStatement = [text: number, args: BoundStatement['args']];

/** One operation on a file. They are plain data: errors and results get their classes again on the other side. */
export type Operation =
  | { kind: 'open'; place: ThreadedPlace }
  | { kind: 'execute'; statement: SentStatement }
  | { kind: 'batch'; statements: SentStatement[]; mode: TransactionMode | undefined }
  | { kind: 'migrate'; statements: BoundStatement[] }
  | { kind: 'script'; sql: string }
  | { kind: 'in place' }
  | { kind: 'close' };

export interface Call {
  id: number;
  file: number;
  operation: Operation;
  /** Texts that are sent for the first time; their numbers go on from those before. */
  texts?: string[];
  /** The texts before are forgotten. */
  forgets?: true;
}

export type Answer = { id: number } & ({ value: ResultParts[] } | { error: SentError });

/** A client of a file that one of the threads has open. */
export interface ThreadedClient extends EmbeddedClient {
  /** Throws if there is no file at the path. */
  assertInPlace: () => Promise<void>;
  /** Ends what waits and closes the file in its thread. */
  end: () => Promise<void>;
}

export interface FileThreads {
  /** Opens a file; `wrote` is called with each write that is sent. */
  open: (place: ThreadedPlace, wrote?: () => void) => Promise<ThreadedClient>;
  /** How many operations were sent to files so far, other than to open and close them. */
  operations: () => number;
  /** How long the operation that waits longest has waited, in milliseconds. */
  waitedMs: () => number;
  /** Ends the threads as a crash would; others take their place. */
  replace: () => Promise<void>;
  /** Ends the threads; their files must already be closed. */
  close: () => Promise<void>;
}

interface Waiting {
  file: number;
  since: number;
  resolve: (value: ResultParts[]) => void;
  reject: (error: unknown) => void;
}

const maxTexts = 2_000;

/** Which of `count` threads owns a file: always the same, so that no two ever have it open. */
const chooseThread = (path: string, count: number): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < path.length; at++) hash = Math.imul(hash ^ path.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % count;
};

/** One thread. If it ends unexpectedly it is replaced: waiting work fails, and its files are opened again at their next use. */
const startThread = (program: URL) => {
  const waiting = new Map<number, Waiting>();
  const numbers = new Map<string, number>();
  let added: string[] = [];
  let nextId = 0;
  /** Counts the threads that were started in this one's place. */
  let generation = 0;
  let running: { worker: Worker; port: MessagePort } | undefined;

  const receive = (answers: readonly Answer[]): void => {
    for (const answer of answers) {
      const one = waiting.get(answer.id);
      waiting.delete(answer.id);
      if ('value' in answer) one?.resolve(answer.value);
      else one?.reject(receiveError(answer.error));
    }
    if (waiting.size === 0) running?.worker.unref();
  };
  const start = () => {
    const { port1: port, port2 } = new MessageChannel();
    const worker = new Worker(program, {
      workerData: { port: port2 },
      transferList: [port2],
      name: 'files',
    });
    let why = '';
    port.on('message', receive);
    worker.on('error', (error: Error) => {
      why = `: ${error.message}`;
    });
    worker.on('exit', () => {
      if (running?.worker !== worker) return;
      running = undefined;
      port.close();
      const failed = [...waiting.values()];
      waiting.clear();
      for (const { reject } of failed)
        reject(new DatabaseUnavailableError('io', `the thread of the files ended${why}`));
    });
    worker.unref();
    port.unref();
    numbers.clear();
    added = [];
    generation += 1;
    running = { worker, port };
    return running;
  };
  const toNumber = (sql: string): number => {
    const known = numbers.get(sql);
    if (known !== undefined) return known;
    added.push(sql);
    numbers.set(sql, numbers.size);
    return numbers.size - 1;
  };

  // At once: a clinic that is opened first would otherwise wait for it.
  start();
  return {
    generation: () => generation + (running === undefined ? 1 : 0),
    /** The texts are numbered when the call is sent: a thread that was replaced knows none. */
    call: (file: number, build: (toNumber: (sql: string) => number) => Operation): Promise<ResultParts[]> => {
      const { worker, port } = running ?? start();
      const forgets = numbers.size > maxTexts;
      if (forgets) numbers.clear();
      const operation = build(toNumber);
      const call: Call = { id: nextId++, file, operation };
      if (forgets) call.forgets = true;
      if (added.length > 0) {
        call.texts = added;
        added = [];
      }
      return new Promise((resolve, reject) => {
        if (waiting.size === 0) worker.ref();
        waiting.set(call.id, { file, since: performance.now(), resolve, reject });
        port.postMessage(call);
      });
    },
    waitedMs: () => {
      const [first] = waiting.values();
      return first === undefined ? 0 : performance.now() - first.since;
    },
    replace: async (): Promise<void> => {
      await running?.worker.terminate();
    },
    close: async () => {
      const ending = running;
      running = undefined;
      ending?.port.close();
      await ending?.worker.terminate();
    },
  };
};

type Thread = ReturnType<typeof startThread>;

const single = async (results: Promise<ResultParts[]>): Promise<ResultSet> => {
  const [result] = await results;
  return resultSet(result as ResultParts);
};

interface File {
  number: number;
  place: ThreadedPlace;
  wrote: () => void;
  counted: () => void;
}

const openInThread = async (
  thread: Thread,
  { number: file, place, wrote, counted }: File,
): Promise<ThreadedClient> => {
  let openedIn = -1;
  /** The last try to open the file failed: the next operation tries again. */
  let isBroken = false;
  let isClosed = false;
  let underWay = 0;
  let writes = 0;
  const idle: (() => void)[] = [];

  // Not waited for: where the file cannot be opened, whatever is asked of it meanwhile fails for the same reason.
  const open = (): void => {
    openedIn = thread.generation();
    isBroken = false;
    thread
      .call(file, () => ({ kind: 'open', place }))
      .catch(() => {
        isBroken = true;
      });
  };
  const ended = (): void => {
    underWay -= 1;
    if (underWay > 0) return;
    for (const resolve of idle.splice(0)) resolve();
  };
  const call = (build: Parameters<Thread['call']>[1], reads = false): Promise<ResultParts[]> => {
    if (isClosed) return Promise.reject(new LibsqlError('The client is closed', 'CLIENT_CLOSED'));
    // The thread was replaced, or the file could not be opened.
    if (isBroken || openedIn !== thread.generation()) open();
    underWay += 1;
    if (!reads) wrote();
    counted();
    const answer = thread.call(file, build);
    answer.then(() => {
      if (!reads) writes += 1;
      ended();
    }, ended);
    return answer;
  };
  const sent = ({ sql, args }: BoundStatement, toNumber: (sql: string) => number): SentStatement => [
    toNumber(sql),
    args,
  ];
  const drain = async (): Promise<void> => {
    if (underWay > 0) await new Promise<void>((resolve) => idle.push(resolve));
  };
  const notHere = (what: string) => async () => {
    throw new LibsqlError(`${what} is not supported`, 'NOT_SUPPORTED');
  };
  open();
  const client: ThreadedClient = {
    closed: false,
    protocol: 'file',
    execute: async (statement: InStatement, args?: InArgs) => {
      const bound = bind(typeof statement === 'string' ? { sql: statement, args: args ?? [] } : statement);
      return single(
        call((toNumber) => ({ kind: 'execute', statement: sent(bound, toNumber) }), isRead(bound)),
      );
    },
    batch: (statements, mode?: TransactionMode) => {
      try {
        const bound = statements.map(bind);
        const build = (toNumber: (sql: string) => number): Operation => ({
          kind: 'batch',
          statements: bound.map((one) => sent(one, toNumber)),
          mode,
        });
        return call(build, bound.every(isRead)).then((results) => results.map(resultSet));
      } catch (error) {
        return Promise.reject(error);
      }
    },
    migrate: async (statements) => {
      const bound = statements.map(bind);
      return (await call(() => ({ kind: 'migrate', statements: bound }))).map(resultSet);
    },
    executeMultiple: async (sql) => void (await call(() => ({ kind: 'script', sql }))),
    transaction: notHere('A transaction'),
    sync: notHere('Syncing'),
    drain,
    assertFileInPlace: () => {},
    assertInPlace: async () => void (await call(() => ({ kind: 'in place' }), true)),
    stats: () => ({ busyCount: 0, reconnectCount: 0, queuedWrites: underWay, commitCount: writes }),
    waitedMs: thread.waitedMs,
    reconnect: () => {},
    end: async () => {
      if (isClosed) return;
      await drain();
      isClosed = client.closed = true;
      if (openedIn === thread.generation()) await thread.call(file, () => ({ kind: 'close' }));
    },
    close: () => void client.end(),
  };
  return client;
};

/**
 * A few threads that have any number of files open: each owns the files that hash to it, reads them, commits what was
 * written to one at the same time together, and closes them again. The main thread waits for no disk.
 */
export const startFileThreads = (
  count: number,
  program = programBeside(import.meta.url, 'file-thread'),
): FileThreads => {
  const threads = Array.from({ length: count }, () => startThread(program));
  let files = 0;
  let operations = 0;
  const counted = (): void => {
    operations += 1;
  };
  return {
    open: (place, wrote = () => {}) =>
      openInThread(threads[chooseThread(place.path, count)] as Thread, {
        number: files++,
        place,
        wrote,
        counted,
      }),
    operations: () => operations,
    replace: async () => void (await Promise.all(threads.map((thread) => thread.replace()))),
    waitedMs: () => Math.max(...threads.map((thread) => thread.waitedMs())),
    close: async () => void (await Promise.all(threads.map((thread) => thread.close()))),
  };
};
