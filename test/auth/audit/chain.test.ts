import { eq, gt, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { securityEvents } from '../../../src/core/tables/accounts.ts';
import { auditBlocks } from '../../../src/core/tables/audit.ts';
import type { Block, Line } from '../../../src/modules/auth/audit/block-queries.ts';
import { nextBlock } from '../../../src/modules/auth/audit/chain.ts';
import { judgeFindings } from '../../../src/modules/auth/audit/rules.ts';
import { checkLink } from '../../../src/modules/auth/audit/verify.ts';
import { blocksOf, rest, seal, verifyAll, writeBlocks, writeLines } from '../../support/trail.ts';
import { createWorld, type World } from '../../support/world.ts';

const line = (sequence: number) => eq(securityEvents.sequence, sequence);
const block = (number: number) => eq(auditBlocks.number, number);

/** Lets two rows change places. */
const swap = async (move: (from: number, to: number) => Promise<unknown>, one: number, other: number) => {
  await move(one, 1_000);
  await move(other, one);
  await move(1_000, other);
};

/** Manipulations of the database's blocks of the lines 1 to 3, 4, 5 and 8, 9 to 11, 12 to 14. */
const tamperings: readonly [what: string, tamper: (world: World) => Promise<unknown>, found: string[]][] = [
  [
    'a changed line',
    ({ db }) => db.update(securityEvents).set({ actorId: 'somebody-else' }).where(line(2)),
    ['line_changed 1'],
  ],
  [
    'a line whose patient was taken away',
    ({ db }) => db.update(securityEvents).set({ patientId: null }).where(line(14)),
    ['line_changed 4'],
  ],
  ['a deleted line', ({ db }) => db.delete(securityEvents).where(line(2)), ['line_missing 1']],
  [
    'all lines of a block deleted',
    ({ db }) => db.delete(securityEvents).where(sql`sequence between 4 and 8`),
    ['line_missing 2'],
  ],
  [
    'a line put into a sealed block',
    ({ db }) => db.insert(securityEvents).values({ ...rest, sequence: 6 }),
    ['line_added 2'],
  ],
  [
    'a line put before all others',
    ({ db }) => db.insert(securityEvents).values({ ...rest, sequence: -7 }),
    ['line_added 1'],
  ],
  [
    'two lines that changed places',
    ({ db }) =>
      swap((from, to) => db.update(securityEvents).set({ sequence: to }).where(line(from)).execute(), 2, 5),
    ['line_changed 1', 'line_changed 2'],
  ],
  ['a removed block', ({ db }) => db.delete(auditBlocks).where(block(2)), ['block_missing 2']],
  [
    'a removed block with its lines',
    async ({ db }) => {
      await db.delete(auditBlocks).where(block(2));
      await db.delete(securityEvents).where(sql`sequence between 4 and 8`);
    },
    ['block_missing 2'],
  ],
  ['the first block removed', ({ db }) => db.delete(auditBlocks).where(block(1)), ['block_missing 1']],
  [
    'the last block cut off with its lines',
    async ({ db }) => {
      await db.delete(auditBlocks).where(block(4));
      await db.delete(securityEvents).where(gt(securityEvents.sequence, 11));
    },
    ['block_missing 4'],
  ],
  [
    'two blocks that changed places',
    async ({ db }) => {
      await db.update(auditBlocks).set({ lastSequence: sql`-last_sequence` });
      await swap((from, to) => db.update(auditBlocks).set({ number: to }).where(block(from)).execute(), 2, 3);
      await db.update(auditBlocks).set({ lastSequence: sql`-last_sequence` });
    },
    [
      ...['block_changed 2', 'link_broken 2', 'line_added 2'],
      ...['block_changed 3', 'link_broken 3', 'line_missing 3'],
      ...['link_broken 4', 'line_added 4'],
    ],
  ],
  [
    'a block that says another number of lines',
    ({ db }) => db.update(auditBlocks).set({ lines: 1_000_000 }).where(block(3)),
    ['block_changed 3', 'line_missing 3'],
  ],
  [
    'a seal made without the key',
    ({ db }) => db.update(auditBlocks).set({ seal: 'forged' }).where(block(3)),
    ['seal_wrong 3'],
  ],
  [
    'a seal that is said to be by another key',
    ({ db }) => db.update(auditBlocks).set({ keyId: 'other' }).where(block(3)),
    ['other_key 3'],
  ],
];

describe('a broken link in the audit chain', () => {
  it('is not reported in an unchanged chain', async () => {
    const world = await createWorld();
    await writeBlocks(world, 3, 1, 7, 2);
    expect(await verifyAll(world)).toEqual([]);
    const blocks = await blocksOf(world);
    expect(blocks.map(({ lines, lastSequence }) => [lines, lastSequence])).toEqual([
      [3, 3],
      [1, 4],
      [7, 11],
      [2, 13],
    ]);
    await writeLines(world, 2);
    expect(await verifyAll(world)).toEqual([]);
  });

  it.each(tamperings)('is found and named: %s', async (_what, tamper, expected) => {
    const world = await createWorld();
    await writeBlocks(world, 3);
    await writeLines(world, 3);
    // A number that was never given leaves a gap, as a write that was rolled back may.
    await world.db.update(securityEvents).set({ sequence: 8 }).where(line(6));
    await seal(world);
    await writeBlocks(world, 3, 3);
    expect(await verifyAll(world)).toEqual([]);
    await tamper(world);
    // However it is paged.
    expect(await verifyAll(world)).toEqual(expected);
    expect(await verifyAll(world, 1)).toEqual(expected);
    expect(await verifyAll(world, 100, 4)).toEqual(expected);
  });

  it('is found whatever was changed in it: any field of any line or block', async () => {
    const { deps, clock } = await createWorld();
    const chain: { block: Block; lines: Line[] }[] = [];
    for (const nth of [0, 1, 2]) {
      const lines = [1, 2, 3].map(
        (at): Line => ({
          sequence: nth * 3 + at,
          writeId: deps.newId(),
          type: 'record_read',
          userId: at === 1 ? deps.newId() : null,
          actorKind: 'account',
          actorId: deps.newId(),
          deviceLoginId: null,
          network: 'aGFzaA',
          requestId: 'r-1',
          occurredAt: clock.now + at,
          patientId: deps.newId(),
          route: 'GET /v1/patients/{id}',
          detail: at === 2 ? '{"date":"2026-11-23"}' : null,
        }),
      );
      chain.push({ block: await nextBlock(deps, chain.at(-1)?.block, lines, clock.now), lines });
    }
    const check = async (tampered: typeof chain) => {
      const found = await Promise.all(
        tampered.map((link, at) =>
          checkLink(deps, { previous: tampered[at - 1]?.block, ...link }, clock.now),
        ),
      );
      return judgeFindings(found.flat());
    };
    expect(await check(chain)).toBe('sound');
    const value = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.integer(), fc.constant(null));
    const tampering = fc.record({
      nth: fc.nat(2),
      line: fc.option(fc.nat(2)),
      field: fc.nat(12),
      at: fc.nat(200),
      value,
    });
    await fc.assert(
      fc.asyncProperty(tampering, async ({ nth, line: which, field, at, value: other }) => {
        const changed = structuredClone(chain);
        const link = changed[nth];
        const row = (which === null ? link?.block : link?.lines[which]) as Record<string, unknown>;
        const name = Object.keys(row)[field % Object.keys(row).length] as string;
        const before = row[name];
        // Now one character of a text, now the whole value.
        row[name] =
          typeof before === 'string' && at % 2 === 0
            ? before.slice(0, at % before.length) +
              (before[at % before.length] === 'x' ? 'y' : 'x') +
              before.slice((at % before.length) + 1)
            : other;
        fc.pre(row[name] !== before);
        expect(await check(changed)).not.toBe('sound');
      }),
      { numRuns: 300 },
    );
  });
});
