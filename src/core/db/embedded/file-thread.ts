import { type MessagePort, workerData } from 'node:worker_threads';
import type { InArgs, ResultSet } from '@libsql/client';
import { type EmbeddedClient, openEmbedded } from './client.ts';
import { assertThere } from './connection.ts';
import { DatabaseUnavailableError } from './errors.ts';
import type { Answer, Call, Operation, ThreadedPlace } from './file-threads.ts';
import { collectGarbage } from './garbage.ts';
import { createLeaseGate } from './lease-gate.ts';
import { takeOwnerLock } from './owner-lock.ts';
import { sendError } from './sent.ts';
import type { BoundStatement, ResultParts } from './values.ts';

// Has the files of its share open, and does with them what the main thread sends. Each file has the queues of an
// embedded database: reads that wait together share a transaction, and writes a commit.

const { port } = workerData as { port: MessagePort };

interface OpenFile {
  client: EmbeddedClient;
  /** Throws if the lease of the file has run out. */
  assertOwned: () => void;
  /** Lets the next owner have it. */
  unlock: () => void;
}

const files = new Map<number, OpenFile | Error>();
const texts: string[] = [];
const nothing: ResultParts[] = [];

/** How long a closed file waits for others that are closed as well, in milliseconds. */
const gatherMs = 10;

let collecting: Promise<void> | undefined;

/**
 * Has the driver let go of files that were closed, which it does only when their statements are collected. That takes
 * some milliseconds in which this thread does nothing else: so what is closed at about the same time is collected together.
 */
const collectClosed = (): Promise<void> => {
  collecting ??= new Promise((resolve) => {
    setTimeout(() => {
      collecting = undefined;
      // Nothing on the stack holds a statement here.
      collectGarbage();
      // Node has the driver close what was collected in the immediate that follows.
      setImmediate(resolve);
    }, gatherMs);
  });
  return collecting;
};

/** A result is copied without its class, so what arrives are its parts. */
const toParts = (results: readonly ResultSet[]): ResultParts[] => results as unknown as ResultParts[];

const find = (file: number): EmbeddedClient => {
  const found = files.get(file);
  if (found instanceof Error) throw found;
  if (found === undefined) throw new DatabaseUnavailableError('cannot_open', 'the file is not open');
  // What is read may be out of date then, as another may have written.
  found.assertOwned();
  return found.client;
};

const nobodyElse = { assertOwned: () => {}, unlock: () => {} };

/** Makes this process the only one that may write to the file, as long as its lease lasts. */
const lock = ({ path, lease }: ThreadedPlace): Pick<OpenFile, 'assertOwned' | 'unlock'> => {
  if (lease === undefined) return nobodyElse;
  const gate = createLeaseGate(lease.gate);
  const assertOwned = (): void => {
    if (!gate.isOpen()) throw new DatabaseUnavailableError('not_owned', `the lease of ${path} has run out`);
  };
  assertOwned();
  const { release } = takeOwnerLock(path, lease.epoch);
  return { assertOwned, unlock: release };
};

const open = (file: number, operation: Operation & { kind: 'open' }): void => {
  const known = files.get(file);
  if (known !== undefined && !(known instanceof Error)) return;
  try {
    // Opened again, a file that is gone would be made anew, and a clinic without its bookings be served.
    const { lease: _lease, ...place } = operation.place;
    assertThere(place.path);
    const { assertOwned, unlock } = lock(operation.place);
    try {
      const client = openEmbedded({ ...place, assertOwned, groupBudgetMs: 5, clock: Date.now });
      files.set(file, { client, assertOwned, unlock });
    } catch (error) {
      unlock();
      throw error;
    }
  } catch (error) {
    files.set(file, error as Error);
    void collectClosed();
    throw error;
  }
};

const close = async (file: number): Promise<void> => {
  const found = files.get(file);
  files.delete(file);
  if (found === undefined || found instanceof Error) return;
  const { client, unlock } = found;
  try {
    await client.drain();
    client.close();
    await collectClosed();
  } finally {
    // Last: the next owner opens the file then.
    unlock();
  }
};

const toStatement = ([text, args]: [number, BoundStatement['args']]) =>
  // The arguments were checked on the main thread.
  ({ sql: texts[text] ?? '', args: args as InArgs });

const perform = async ({ file, operation }: Call): Promise<ResultParts[]> => {
  switch (operation.kind) {
    case 'open':
      open(file, operation);
      return nothing;
    case 'close':
      await close(file);
      return nothing;
    case 'execute':
      return toParts([await find(file).execute(toStatement(operation.statement))]);
    case 'batch':
      return toParts(await find(file).batch(operation.statements.map(toStatement), operation.mode));
    case 'migrate':
      return toParts(
        await find(file).migrate(operation.statements as Parameters<EmbeddedClient['migrate']>[0]),
      );
    case 'script':
      await find(file).executeMultiple(operation.sql);
      return nothing;
    case 'in place':
      find(file).assertFileInPlace();
      return nothing;
  }
};

let answers: Answer[] = [];

/** Answers that are made together are sent together. */
const answer = (one: Answer): void => {
  answers.push(one);
  if (answers.length > 1) return;
  queueMicrotask(() =>
    process.nextTick(() => {
      const made = answers;
      answers = [];
      port.postMessage(made);
    }),
  );
};

port.on('message', (call: Call) => {
  if (call.forgets) texts.length = 0;
  if (call.texts !== undefined) texts.push(...call.texts);
  const { id } = call;
  perform(call).then(
    (value) => answer({ id, value }),
    (error: unknown) => answer({ id, error: sendError(error) }),
  );
});
