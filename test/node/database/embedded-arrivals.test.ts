import { renameSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type EmbeddedClient, openEmbedded } from '../../../src/core/db/embedded/client.ts';
import { add, openNotes, stored } from '../../support/node/embedded-files.ts';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await nextTurn();
};

const long =
  'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500000) SELECT count(*) FROM n';

/** A crowd of which each turn of the event loop lets one in, until it ends; and how often it was asked for. */
class Crowd {
  goesOn = true;
  asked = 0;
  maxAskedInOneTurn = 0;
  #came = 0;
  #askedBefore = 0;

  begin = (): void => {
    this.maxAskedInOneTurn = Math.max(this.maxAskedInOneTurn, this.asked - this.#askedBefore);
    this.#askedBefore = this.asked;
    this.#came += 1;
    if (this.goesOn) setImmediate(this.begin);
  };

  arrivals = (): number => {
    this.asked += 1;
    return this.#came;
  };
}

describe('while a crowd is arriving', () => {
  let path: string;
  let client: EmbeddedClient;
  let crowd: Crowd;
  const open = async (holdMs: number): Promise<void> => {
    ({ path } = await openNotes());
    crowd = new Crowd();
    client = openEmbedded({ path, arrivals: crowd.arrivals, holdMs });
    crowd.begin();
  };
  afterEach(() => {
    crowd.goesOn = false;
    client.close();
  });

  it('lets it in before a commit, which is then shared', async () => {
    await open(60_000);
    const before = client.stats().commitCount;
    const writes: Promise<unknown>[] = [];
    for (const text of ['a', 'b', 'c']) {
      writes.push(add(client, text));
      await turns(3);
    }
    expect(client.stats().commitCount - before).toBe(0);
    crowd.goesOn = false;
    await Promise.all(writes);
    expect(client.stats().commitCount - before).toBe(1);
    expect(stored(path)).toEqual(['a', 'b', 'c']);
  });

  it('lets it in before reads, and between reads that take long', async () => {
    await open(60_000);
    let answered = 0;
    const reads = [long, 'SELECT 1'].map((sql) => client.execute(sql).then(() => (answered += 1)));
    await turns(10);
    expect(answered).toBe(0);
    crowd.goesOn = false;
    await reads[0];
    const { asked } = crowd;
    await reads[1];
    expect(crowd.asked).toBe(asked + 1);
  });

  it('goes on at last, though it never ends', async () => {
    await open(1);
    await add(client, 'a');
    expect((await client.execute('SELECT text FROM note')).rows).toHaveLength(1);
  });

  it('asks once a turn for reads and once for writes, and not at all with nothing to do', async () => {
    await open(2);
    const work: Promise<unknown>[] = [];
    for (let nth = 0; nth < 40; nth++) {
      const read = () => client.execute('SELECT count(*) FROM note');
      work.push(
        read()
          .then(() => add(client, `a${nth}`))
          .then(read),
        add(client, `b${nth}`),
        read(),
      );
      await turns(nth % 3);
    }
    await Promise.all(work);
    await turns(2);
    const { asked } = crowd;
    await turns(20);
    expect(crowd.asked).toBe(asked);
    expect(crowd.maxAskedInOneTurn).toBe(2);
  });

  it('finishes delayed work when it closes, and does nothing afterwards', async () => {
    await open(60_000);
    const held = [add(client, 'a'), client.execute(long), client.execute('SELECT text FROM note')];
    await turns(3);
    client.close();
    renameSync(path, `${path}.kept`);
    await Promise.all(held);
    const { asked } = crowd;
    await turns(5);
    expect([stored(`${path}.kept`), crowd.asked]).toEqual([['a'], asked]);
  });

  it('commits a write that follows an answered read with those that wait, and asks for them all once', async () => {
    crowd = new Crowd();
    ({ path } = await openNotes());
    client = openEmbedded({ path, arrivals: crowd.arrivals, gatherMs: 1_000 });
    await Promise.all([add(client, 'a'), add(client, 'b')]);
    const { asked } = crowd;
    const before = client.stats().commitCount;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    // It waits for as many as before; meanwhile a read comes, whose answer is followed by a write.
    const gathering = add(client, 'c');
    const following = client.execute('SELECT 1').then(() => add(client, 'd'));
    vi.advanceTimersByTime(1_000);
    vi.useRealTimers();
    await Promise.all([gathering, following]);
    await turns(3);
    expect(client.stats().commitCount - before).toBe(1);
    expect(crowd.asked).toBe(asked + 1);
  });
});
