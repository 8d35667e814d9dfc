import { run, runAll } from '../../db/db.ts';
import type { Deps } from '../../deps.ts';
import {
  type Block,
  countUnsealed,
  findBlockBefore,
  findBlocks,
  findLines,
  type Line,
} from './block-queries.ts';
import { hashOfBlock, hashOfLines, type SealingKeys, sealsOf } from './chain.ts';
import { type Breach, type Finding, linesABlock, retainedMs, unsealedMs } from './rules.ts';

/** A block, the one before it, and the lines that stand where its own should. */
export interface Link {
  previous: Block | undefined;
  block: Block;
  lines: readonly Line[];
}

/** Whether the lines of a block may have been deleted because they are too old. */
const isExpired = ({ newestAt }: Block, now: number): boolean => newestAt <= now - retainedMs;

const sealBreach = async (keys: SealingKeys, { hash, keyId, seal }: Block): Promise<Breach | null> => {
  const expected = (await sealsOf(keys, hash)).get(keyId);
  if (expected === undefined) return 'other_key';
  return expected === seal ? null : 'seal_wrong';
};

const lineBreach = async ({ block, lines }: Link, now: number): Promise<Breach | null> => {
  // Retention takes whole blocks.
  if (lines.length === 0 && isExpired(block, now)) return null;
  if (lines.length !== block.lines) return lines.length < block.lines ? 'line_missing' : 'line_added';
  return (await hashOfLines(lines)) === block.linesHash ? null : 'line_changed';
};

/** Whether blocks before this one are gone: a number is missing, or the chain begins too late. */
const isGap = ({ previous, block }: Link, now: number): boolean => {
  if (previous !== undefined) return block.number !== previous.number + 1;
  // The first that is left stands for those before it, whose lines retention has deleted with its own.
  return block.number !== 1 && !isExpired(block, now);
};

/** The last block whose lines retention deleted: its lines and all before them are gone. */
const isAnchor = ({ previous, block }: Link): boolean => previous === undefined && block.number !== 1;

/** Everything that is wrong with one block; without keys its seal is not judged. */
export const checkLink = async (keys: SealingKeys | null, link: Link, now: number): Promise<Finding[]> => {
  const { previous, block, lines } = link;
  const gap = isGap(link, now);
  const startsChain = block.number === 1;
  const expectedPrevious = startsChain ? '' : previous?.hash;
  const kinds: (Breach | null)[] = [
    (await hashOfBlock(block)) === block.hash ? null : 'block_changed',
    gap ? 'block_missing' : null,
    !gap && expectedPrevious !== undefined && block.previousHash !== expectedPrevious ? 'link_broken' : null,
    keys === null ? null : await sealBreach(keys, block),
    // Beside a gap stand lines of the blocks that are gone.
    gap || isAnchor(link) ? null : await lineBreach(link, now),
    isAnchor(link) && lines.length > 0 && !gap ? 'line_added' : null,
  ];
  return kinds
    .filter((kind) => kind !== null)
    .map((kind) => ({
      kind,
      block: kind === 'block_missing' ? (previous?.number ?? 0) + 1 : block.number,
      fromSequence: (previous?.lastSequence ?? 0) + 1,
      toSequence: block.lastSequence,
    }));
};

/** How much of the chain was checked, and what was found. */
export interface Checked {
  firstBlock: number | null;
  lastBlock: number | null;
  lines: number;
  /** How many lines are in no block yet; null where more blocks follow. */
  unsealed: number | null;
  findings: Finding[];
}

/** What stands after the last block: lines that should have been sealed long ago, and blocks that were cut off. */
const checkEnd = (
  { lines, oldestAt, firstSequence, highestNumber }: Awaited<ReturnType<typeof readEnd>>,
  last: number,
  now: number,
): Finding[] => {
  const findings: Finding[] = [];
  if (highestNumber > last)
    findings.push({
      kind: 'block_missing',
      block: highestNumber,
      fromSequence: firstSequence,
      toSequence: null,
    });
  if (lines > 0 && oldestAt !== null && oldestAt < now - unsealedMs)
    findings.push({ kind: 'not_sealed', block: null, fromSequence: firstSequence, toSequence: null });
  return findings;
};

const readEnd = async ({ db }: Pick<Deps, 'db'>) => {
  const [row] = await run(db, countUnsealed(db, {}));
  return row ?? { lines: 0, oldestAt: null, firstSequence: null, highestNumber: 0 };
};

/** Below every sequence: the first block is asked for whatever stands before its lines. */
const beforeAll = Number.MIN_SAFE_INTEGER;

/** How many lines a block says it holds, within what a block can hold: somebody may have changed the number. */
const linesOf = ({ lines }: Block): number => Math.min(Math.max(Number(lines) || 0, 0), linesABlock);
const sumOf = (blocks: readonly Block[]): number => blocks.reduce((sum, block) => sum + linesOf(block), 0);

/** As many of the blocks as hold so many lines, but always one. */
const fitting = (blocks: readonly Block[], maxLines: number): readonly Block[] => {
  const end = blocks.findIndex((_block, at) => sumOf(blocks.slice(0, at + 1)) > maxLines);
  return end === -1 ? blocks : blocks.slice(0, Math.max(1, end));
};

/** Blocks with the lines that stand where theirs should; fewer blocks where there are more lines than they should hold. */
const readLines = async (
  db: Deps['db'],
  before: Block | undefined,
  blocks: readonly Block[],
): Promise<Link[]> => {
  const limit = sumOf(blocks) + 1;
  const range = { after: before?.lastSequence ?? beforeAll, last: blocks.at(-1)?.lastSequence ?? 0 };
  const lines = blocks.length === 0 ? [] : await run(db, findLines(db, { ...range, limit }));
  const read = lines.length < limit ? Number.MAX_SAFE_INTEGER : (lines.at(-1)?.sequence ?? 0);
  const links = blocks.map((block, at) => {
    const previous = at === 0 ? before : blocks[at - 1];
    const start = previous?.lastSequence ?? beforeAll;
    const own = lines.filter(({ sequence }) => sequence > start && sequence <= block.lastSequence);
    return { previous, block, lines: own };
  });
  return links.filter(({ block }, at) => at === 0 || block.lastSequence < read);
};

/** Checks the blocks after a number: as many as are asked for, but fewer where they hold many lines. */
export const verifyBlocks = async (
  deps: Pick<Deps, 'db'> & SealingKeys,
  now: number,
  { after, maxBlocks, maxLines }: { after: number; maxBlocks: number; maxLines: number },
): Promise<Checked> => {
  const { db } = deps;
  const [[before], found] = await runAll(db, [
    findBlockBefore(db, { number: after + 1 }),
    findBlocks(db, { after, limit: maxBlocks + 1 }),
  ]);
  const links = await readLines(db, before, fitting(found.slice(0, maxBlocks), maxLines));
  const findings: Finding[] = [];
  for (const link of links) findings.push(...(await checkLink(deps, link, now)));
  const last = links.at(-1)?.block.number ?? null;
  const end = links.length === found.length ? await readEnd(deps) : null;
  return {
    firstBlock: links[0]?.block.number ?? null,
    lastBlock: last,
    lines: links.reduce((sum, { lines }) => sum + lines.length, 0),
    unsealed: end?.lines ?? null,
    findings: end === null ? findings : [...findings, ...checkEnd(end, last ?? after, now)],
  };
};
