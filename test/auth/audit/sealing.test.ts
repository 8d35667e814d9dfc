import { sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { securityEvents } from '../../../src/core/tables/accounts.ts';
import { copyRow } from '../../support/copies.ts';
import { beforeRoundTrip, crashAtRoundTrip } from '../../support/interleave.ts';
import { createPerson } from '../../support/people.ts';
import { blocksOf, linesOf, rest, seal, verifyAll, writeBlocks, writeLines } from '../../support/trail.ts';
import { createWorld } from '../../support/world.ts';

describe('the sealing of the audit trail', () => {
  it('takes a line into the next block that was written later, whatever its id and its time', async () => {
    const world = await createWorld();
    await writeBlocks(world, 2);
    const early = { ...rest, writeId: '00000000-0000-7000-8000-000000000000', occurredAt: 1 };
    await world.db.insert(securityEvents).values(early);
    await seal(world);
    expect((await blocksOf(world)).map(({ lines, lastSequence }) => [lines, lastSequence])).toEqual([
      [2, 2],
      [1, 3],
    ]);
    expect(await verifyAll(world)).toEqual([]);
  });

  it('gives a line no number that a block has, though all lines were deleted by hand', async () => {
    const world = await createWorld();
    await writeBlocks(world, 2, 3);
    await world.db.delete(securityEvents);
    await writeLines(world, 1);
    await seal(world);
    expect((await blocksOf(world)).map(({ lastSequence }) => lastSequence)).toEqual([2, 5, 6]);
    expect(await verifyAll(world)).toEqual(['line_missing 1', 'line_missing 2']);
  });

  it('seals what stood before there were blocks, in bounded steps', async () => {
    const world = await createWorld();
    await writeLines(world, 1);
    const writeId = sql`'copy-' || i`;
    await copyRow(world, securityEvents, 11_000, { sequence: sql`null`, writeId });
    await seal(world);
    expect((await blocksOf(world)).map(({ lines }) => lines)).toEqual(Array(20).fill(500));
    await seal(world);
    await seal(world);
    expect((await blocksOf(world)).map(({ lines }) => lines)).toEqual([...Array(22).fill(500), 1]);
    expect(await verifyAll(world)).toEqual([]);
  });

  it('makes one chain of what two seal at once, also where one reads more than the other', async () => {
    const world = await createWorld();
    await writeLines(world, 3);
    await Promise.all([seal(world), seal(world), seal(world)]);
    await writeLines(world, 2);
    // Between the reading and the writing of one, another seals those and one more.
    const { db } = world;
    beforeRoundTrip(world, 2, async () => {
      await writeLines(world, 1);
      await seal(world);
    });
    await seal(world);
    world.deps.db = db;
    const blocks = await blocksOf(world);
    expect(blocks.map(({ number, lines }) => [number, lines])).toEqual([
      [1, 3],
      [2, 3],
    ]);
    expect(await verifyAll(world)).toEqual([]);
  });

  it.each(['before', 'after'] as const)('goes on after a crash %s a block was written', async (when) => {
    const world = await createWorld();
    await writeBlocks(world, 2);
    await writeLines(world, 2);
    const mend = crashAtRoundTrip(world, 2, when);
    await expect(seal(world)).rejects.toThrow();
    mend();
    await writeLines(world, 1);
    await seal(world);
    expect(await verifyAll(world)).toEqual([]);
    expect((await blocksOf(world)).map(({ lines }) => lines)).toEqual(when === 'before' ? [2, 3] : [2, 2, 1]);
  });

  it('is reported when it does not run: lines of more than an hour ago are in no block', async () => {
    const world = await createWorld();
    await writeBlocks(world, 1);
    await writeLines(world, 1);
    world.clock.now += 3_600_000;
    expect(await verifyAll(world)).toEqual([]);
    world.clock.now += 1;
    expect(await verifyAll(world)).toEqual(['not_sealed null']);
    await seal(world);
    expect(await verifyAll(world)).toEqual([]);
  });

  it('names each block in the log, which bears witness elsewhere', async () => {
    const world = await createWorld();
    const info = vi.spyOn(world.deps.log, 'info');
    await writeBlocks(world, 2);
    const [made] = await blocksOf(world);
    expect(info.mock.calls).toEqual([['audit sealed', { block: 1, lines: 2, hash: made?.hash }]]);
  });

  it('changes no line and writes nothing where nothing happened', async () => {
    const world = await createWorld();
    await createPerson(world);
    await writeBlocks(world, 2);
    const before = [await linesOf(world), await blocksOf(world)];
    await seal(world);
    expect([await linesOf(world), await blocksOf(world)]).toEqual(before);
  });
});
