import { eq, lt, lte } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { securityEvents } from '../../../src/core/tables/accounts.ts';
import { auditBlocks } from '../../../src/core/tables/audit.ts';
import { sweepExpired } from '../../../src/jobs/retention.ts';
import { blocksOf, expire, linesOf, seal, verifyAll, writeBlocks, writeLines } from '../../support/trail.ts';
import { createWorld, type World } from '../../support/world.ts';

const sweep = ({ deps, clock }: World) => sweepExpired(deps, clock.now);
const numbers = async (world: World) => (await blocksOf(world)).map(({ number }) => number);
const sequences = async (world: World) => (await linesOf(world)).map(({ sequence }) => sequence);

describe('retention of the audit trail', () => {
  it('deletes whole blocks of two years ago and keeps the last seal, so that the chain goes on from there', async () => {
    const world = await createWorld();
    await writeBlocks(world, 2, 3);
    expire(world);
    await writeBlocks(world, 2);
    expect(await verifyAll(world)).toEqual([]);
    await sweep(world);
    expect([await numbers(world), await sequences(world)]).toEqual([
      [2, 3],
      [6, 7],
    ]);
    expect(await verifyAll(world)).toEqual([]);
    expect(await verifyAll(world, 1)).toEqual([]);
    await writeBlocks(world, 1);
    expire(world);
    await sweep(world);
    // Of the last block the lines stay as well: there is always one that can be checked against them.
    expect([await numbers(world), await sequences(world)]).toEqual([[3, 4], [8]]);
    expect(await verifyAll(world)).toEqual([]);
    await writeBlocks(world, 1);
    expect([await numbers(world), await verifyAll(world)]).toEqual([[3, 4, 5], []]);
  });

  it('leaves a block whose latest line is younger, and all after it, and what is not sealed', async () => {
    const world = await createWorld();
    await writeBlocks(world, 1);
    await writeLines(world, 1);
    const { now } = world.clock;
    expire(world);
    world.clock.now += 1;
    await writeLines(world, 1);
    await seal(world);
    // Of its two lines one is old enough.
    await writeBlocks(world, 1);
    await sweep(world);
    expect(await sequences(world)).toEqual([2, 3, 4]);
    expect(await verifyAll(world)).toEqual([]);
    expect((await linesOf(world))[0]?.occurredAt).toBe(now);
    world.clock.now += 86_400_000;
    const unsealed = await createWorld();
    await writeLines(unsealed, 1);
    expire(unsealed);
    await sweep(unsealed);
    expect(await sequences(unsealed)).toHaveLength(1);
  });

  it('takes many small blocks at once, and a block at least', async () => {
    const world = await createWorld();
    await writeBlocks(world, ...Array<number>(30).fill(1), 40);
    expire(world);
    await writeBlocks(world, 1, 1);
    await sweep(world);
    expect([await numbers(world), await sequences(world)]).toEqual([
      [31, 32, 33],
      [71, 72],
    ]);
    expect(await verifyAll(world)).toEqual([]);
  });

  it('is no excuse: what was deleted before its time is missed, and what comes back is found', async () => {
    const world = await createWorld();
    await writeBlocks(world, 2, 2, 2);
    await world.db.delete(securityEvents).where(lte(securityEvents.sequence, 2));
    expect(await verifyAll(world)).toEqual(['line_missing 1']);
    await world.db.delete(auditBlocks).where(eq(auditBlocks.number, 1));
    expect(await verifyAll(world)).toEqual(['block_missing 1']);
    expire(world);
    await writeBlocks(world, 1);
    await sweep(world);
    expect([await numbers(world), await verifyAll(world)]).toEqual([[3, 4], []]);
    const returned = { writeId: 'returned', type: 'login', occurredAt: 1 } as const;
    await world.db.insert(securityEvents).values({ ...returned, sequence: 1 });
    expect(await verifyAll(world)).toEqual(['line_added 3']);
    await world.db.delete(securityEvents).where(lt(securityEvents.sequence, 2));
    expect(await verifyAll(world)).toEqual([]);
  });
});
