import { setImmediate as turn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import type { LibsqlBatchError } from '@libsql/client/sqlite3';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Apart, GroupWrite } from '../../../src/core/db/embedded/group.ts';
import { makeSession } from '../../../src/core/db/embedded/session.ts';
import {
  startWriter,
  type Then,
  type Writer,
  type WriterOptions,
} from '../../../src/core/db/embedded/writer.ts';
import { makeWriteQueue } from '../../../src/core/db/embedded/writes.ts';
import { add, newPath, openNotes, stored, until } from '../../support/node/embedded-files.ts';

const place = (path: string) => ({ path, driverTimeoutMs: 20 });

const started = (path: string, options: WriterOptions = {}): Writer => {
  const writer = startWriter({ place: place(path), groupBudgetMs: 60_000 }, options);
  onTestFinished(() => writer.close());
  return writer;
};

const commit = (writer: Writer, group: readonly GroupWrite[], apart: Apart = 'not') =>
  new Promise<Parameters<Then['committed']>[0]>((committed, failed) =>
    writer.commit(group, apart, { committed, failed }),
  );

const note = (text: string): GroupWrite => ({
  statements: [{ sql: 'INSERT INTO note (text) VALUES (?)', args: [text] }],
  isBatch: true,
});

/** Takes a while. */
const long =
  'INSERT INTO note (size) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) SELECT count(*) FROM n';

describe('a thread that commits', () => {
  it('that dies fails its group as unavailable, says why, and is replaced for the next', async () => {
    const { path } = await openNotes();
    const writer = started(path, {
      program: new URL('../../support/node/dying-thread.ts', import.meta.url),
    });
    await expect(commit(writer, [note('a')])).rejects.toMatchObject({
      name: 'DatabaseUnavailableError',
      code: 'io',
      message: 'the writing thread ended: died as the test wants',
    });
    expect(await commit(writer, [note('b')])).toMatchObject([{ done: true }]);
    expect(stored(path)).toEqual(['b']);
  });

  it('that cannot start says so, too', async () => {
    const { path } = await openNotes();
    const writer = started(path, { program: new URL('data:text/javascript,throw new Error("no program")') });
    await expect(commit(writer, [note('a')])).rejects.toMatchObject({
      code: 'io',
      message: expect.stringMatching(/no program$/),
    });
  });

  it('creates no file: a deleted one is not created again, empty', async () => {
    const writer = started(newPath());
    await expect(commit(writer, [note('a')])).rejects.toMatchObject({ code: 'cannot_open' });
  });

  it('closed in the middle of a group has ended it, and calls back, before the close returns', async () => {
    const { path } = await openNotes();
    const writer = started(path);
    let outcomes: unknown;
    writer.commit([note('a'), note('b')], 'not', {
      committed: (settled) => {
        outcomes = settled;
      },
      failed: (error) => {
        outcomes = error;
      },
    });
    writer.close();
    expect(outcomes).toMatchObject([{ done: true }, { done: true }]);
    expect(stored(path)).toEqual(['a', 'b']);
  });

  it('has statements described again after another connection changed the schema', async () => {
    const { client, path } = await openNotes();
    const writer = started(path);
    const all = { sql: 'INSERT INTO note (text) VALUES (?) RETURNING *', args: ['a'] };
    await commit(writer, [{ statements: [all], isBatch: true }]);
    await client.execute('ALTER TABLE note ADD COLUMN more TEXT');
    writer.reopen();
    const [outcome] = await commit(writer, [{ statements: [{ ...all, args: ['b'] }], isBatch: true }]);
    const columns = outcome?.done === true ? outcome.value[0]?.columns : undefined;
    expect(columns).toContain('more');
  });
});

/** Counts the threads that are started from now on and run. */
const countThreads = (): (() => number) => {
  let running = 0;
  const count = (worker: Worker) => {
    running += 1;
    worker.once('exit', () => {
      running -= 1;
    });
  };
  process.on('worker', count);
  onTestFinished(() => void process.off('worker', count));
  return () => running;
};

describe('a thread that is there only under load', () => {
  it('is made once commits took longer than they may in a second, and ends when it has nothing to do', async () => {
    const { path } = await openNotes();
    const threads = countThreads();
    // Longer than `until` takes to look again.
    const writer = started(path, { when: 'under load', demand: { hereMs: 50, idleMs: 20 } });
    writer.committedHere(30);
    writer.committedHere(19);
    await turn();
    expect(threads()).toBe(0);
    expect(writer.isReady()).toBe(false);
    writer.committedHere(2);
    await until(() => writer.isReady());
    expect(await commit(writer, [note('a')])).toMatchObject([{ done: true }]);
    await until(() => !writer.isReady());
    await until(() => threads() === 0);
    writer.committedHere(51);
    await until(() => writer.isReady());
    expect(await commit(writer, [note('b')])).toMatchObject([{ done: true }]);
    expect(stored(path)).toEqual(['a', 'b']);
  });

  it('ends when it gets no group at all', async () => {
    const { path } = await openNotes();
    const threads = countThreads();
    const writer = started(path, { when: 'under load', demand: { hereMs: 0, idleMs: 0 } });
    writer.committedHere(1);
    await until(() => threads() === 1);
    await until(() => threads() === 0);
    expect(writer.isReady()).toBe(false);
  });

  it('leaves the commits to the client until it can take them, and loses none of them', async () => {
    const made = await openNotes();
    const session = makeSession({ ...place(made.path), clock: Date.now });
    const writer = started(made.path, { when: 'under load', demand: { hereMs: 0, idleMs: 20 } });
    const queue = makeWriteQueue(session, {
      ...{ deadlineMs: 60_000, groupSize: 64, maxQueued: 64, gatherMs: 0, groupBudgetMs: 10 },
      ...{ holdForArrivals: () => false, readsFirst: () => false, writer },
    });
    const texts = Array.from({ length: 60 }, (_, at) => String(at));
    const readiness = new Set<boolean>();
    for (const text of texts) {
      await queue.add(note(text), false);
      readiness.add(writer.isReady());
      if (text === '30') await until(() => writer.isReady());
      if (text === '40') await until(() => !writer.isReady());
    }
    expect(readiness).toEqual(new Set([true, false]));
    queue.close();
    expect(stored(made.path)).toEqual(texts);
  });
});

describe('a client that commits in a thread', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.bigInt({ min: -(2n ** 53n) + 1n, max: 2n ** 53n - 1n }),
    fc.constant(null),
    fc.boolean(),
    fc.uint8Array({ maxLength: 20 }),
  );

  const plain = async (client: Awaited<ReturnType<typeof openNotes>>['client'], given: unknown) => {
    const results = await client
      .batch([
        {
          sql: 'INSERT INTO note (size, bytes) VALUES (1, ?) RETURNING bytes, typeof(bytes)',
          args: [given as never],
        },
        { sql: 'UPDATE note SET size = size + 1 WHERE bytes IS ?', args: [given as never] },
      ])
      .catch((error: unknown) => error);
    return Array.isArray(results)
      ? results.map((each) => [each.columns, each.rows, each.rowsAffected, each.lastInsertRowid])
      : String(results);
  };

  it('gives the results and errors that one without a thread gives, for any value', async () => {
    const [here, there] = [
      (await openNotes({ commitsInThread: false })).client,
      (await openNotes({ commitsInThread: true })).client,
    ];
    await fc.assert(
      fc.asyncProperty(value, async (given) => {
        expect(await plain(there, given)).toEqual(await plain(here, given));
      }),
      // A number of this size is stored as an integer that cannot be read again: an error of its own name.
      { numRuns: 60, examples: [[2 ** 53]] },
    );
    const twice = "INSERT INTO note (text) VALUES ('x'), ('x')";
    const [mine, theirs] = await Promise.all(
      [here, there].map((client) =>
        client.batch(['SELECT 1', twice]).catch((error: LibsqlBatchError) => ({
          ...error,
          message: error.message,
          cause: String(error.cause),
        })),
      ),
    );
    expect(theirs).toEqual(mine);
    expect(theirs).toMatchObject({ name: 'LibsqlBatchError', statementIndex: 1, code: 'SQLITE_CONSTRAINT' });
  });

  it('goes on past a thousand different texts', async () => {
    const { client, path } = await openNotes({ commitsInThread: true });
    for (let at = 0; at < 1_100; at += 100)
      await Promise.all(
        Array.from({ length: 100 }, (_, more) =>
          client.execute(`INSERT INTO note (text) VALUES ('n${at + more}')`),
        ),
      );
    await add(client, 'last');
    expect(stored(path)).toHaveLength(1_101);
  });

  it('answers a read while a commit is under way', async () => {
    const { client } = await openNotes({ commitsInThread: true });
    await add(client, 'a');
    const order: string[] = [];
    const writing = client.execute(long).then(() => order.push('written'));
    await new Promise((resolve) => setImmediate(resolve));
    await client.execute('SELECT 1').then(() => order.push('read'));
    await writing;
    expect(order).toEqual(['read', 'written']);
  });

  it('does not lose what waits behind the group under way when the client closes', async () => {
    const { client, path } = await openNotes({ commitsInThread: true });
    await add(client, 'a');
    const underWay = client.execute(long);
    await turn();
    const waiting = [add(client, 'c'), add(client, 'd')];
    client.close();
    await Promise.all([underWay, ...waiting]);
    expect(stored(path)).toEqual(['a', null, 'c', 'd']);
  });
});

it('the next group goes to the thread before the one whose commit ended is answered', async () => {
  const groups: { size: number; then: Then }[] = [];
  const answered: string[] = [];
  const seenAtCommit: string[][] = [];
  const writer: Writer = {
    isReady: () => true,
    committedHere: () => {},
    commit: (group, _apart, then) => {
      groups.push({ size: group.length, then });
      seenAtCommit.push([...answered]);
    },
    reopen: () => {},
    counts: () => ({ busyCount: 0, reconnectCount: 0 }),
    close: () => {},
  };
  const session = makeSession({ ...place(newPath()), clock: Date.now });
  const queue = makeWriteQueue(session, {
    ...{ deadlineMs: 60_000, groupSize: 64, maxQueued: 64, gatherMs: 0, groupBudgetMs: 10 },
    ...{ holdForArrivals: () => false, readsFirst: () => false, writer },
  });
  const write = (text: string) => queue.add(note(text), false).then(() => answered.push(text));
  const first = write('a');
  while (groups.length === 0) await turn();
  const second = [write('b'), write('c')];
  groups[0]?.then.committed([{ done: true, value: [] }]);
  await first;
  groups[1]?.then.committed([1, 2].map(() => ({ done: true, value: [] })));
  await Promise.all(second);
  expect(groups.map(({ size }) => size)).toEqual([1, 2]);
  expect(seenAtCommit).toEqual([[], []]);
});
