import { run, runAll } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import {
  type Block,
  countUnsealed,
  findBlockBefore,
  findBlocks,
  findLines,
  type Line,
} from './block-queries.ts';
import { deriveSeals, hashOfBlock, hashOfLines, type SealingKeys } from './chain.ts';
import { type Breach, type Finding, linesABlock, retainedMs, unsealedMs } from './rules.ts';

/** A block, the block before it, and the lines that its sequence range contains. */
export interface Link {
  previous: Block | undefined;
  block: Block;
  lines: readonly Line[];
}

const sealBreach = async (keys: SealingKeys, { hash, keyId, seal }: Block): Promise<Breach | false> => {
  const expected = (await deriveSeals(keys, hash)).get(keyId);
  return expected === undefined ? 'other_key' : expected !== seal && 'seal_wrong';
};

const lineBreach = async ({ block, lines }: Link): Promise<Breach | false> => {
  if (lines.length < block.lines) return 'line_missing';
  if (lines.length > block.lines) return 'line_added';
  return (await hashOfLines(lines)) !== block.linesHash && 'line_changed';
};

/** Everything that is wrong with one block; without keys its seal is not checked. */
export const checkLink = async (keys: SealingKeys | null, link: Link, now: number): Promise<Finding[]> => {
  const { previous, block, lines } = link;
  // Retention takes whole blocks, once their latest line is so old.
  const isExpired = block.newestAt <= now - retainedMs;
  // The first remaining block may follow blocks that were deleted with their lines when their retention ended.
  const isAnchor = previous === undefined && block.number !== 1;
  const before = previous?.number ?? 0;
  const isGap = isAnchor ? !isExpired : block.number !== before + 1;
  const ofLines = isAnchor
    ? lines.length > 0 && 'line_added'
    : (lines.length > 0 || !isExpired) && (await lineBreach(link));
  const kinds = [
    (await hashOfBlock(block)) !== block.hash && 'block_changed',
    !isGap && !isAnchor && block.previousHash !== (previous?.hash ?? '') && 'link_broken',
    keys !== null && (await sealBreach(keys, block)),
    // Next to a gap are lines of the missing blocks.
    !isGap && ofLines,
  ] as const;
  const found = kinds.filter((kind) => kind !== false).map((kind) => ({ kind, block: block.number }));
  return isGap ? [{ kind: 'block_missing', block: before + 1 }, ...found] : found;
};

/** How much of the chain was checked, and the faults found. */
interface Checked {
  /** The last block that was checked. */
  after: number;
  blocks: number;
  lines: number;
  /** How many lines are in no block yet; null where more blocks follow. */
  unsealed: number | null;
  findings: Finding[];
}

/** Below every sequence: the first block is queried with all lines before its own. */
const beforeAll = Number.MIN_SAFE_INTEGER;

/** The number of lines that blocks claim to have, within the limits: somebody may have changed it. */
const sumLines = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, { lines }) => sum + Math.min(Math.max(Number(lines) || 0, 0), linesABlock), 0);

/** Blocks with the lines of their ranges; fewer blocks where a range has more lines than it should. */
const readLines = async (
  db: Deps['db'],
  before: Block | undefined,
  blocks: readonly Block[],
): Promise<Link[]> => {
  const limit = sumLines(blocks) + 1;
  const range = { after: before?.lastSequence ?? beforeAll, last: blocks.at(-1)?.lastSequence ?? beforeAll };
  const lines = await run(db, findLines(db, { ...range, limit }));
  const read = lines[limit - 1]?.sequence ?? Number.MAX_SAFE_INTEGER;
  const links = blocks.map((block, at) => {
    const previous = at === 0 ? before : blocks[at - 1];
    const start = previous?.lastSequence ?? beforeAll;
    const own = lines.filter(({ sequence }) => sequence > start && sequence <= block.lastSequence);
    return { previous, block, lines: own };
  });
  return links.filter(({ block }, at) => at === 0 || block.lastSequence < read);
};

/** The lines after the last block: their block was removed, or they should have been sealed long ago. */
const checkEnd = async (db: Deps['db'], last: number, now: number) => {
  const [end] = await run(db, countUnsealed(db, {}));
  const { lines = 0, oldestAt = null, highestNumber = 0 } = end ?? {};
  const findings: Finding[] = [];
  if (highestNumber > last) findings.push({ kind: 'block_missing', block: highestNumber });
  if (oldestAt !== null && oldestAt < now - unsealedMs) findings.push({ kind: 'not_sealed', block: null });
  return { lines, findings };
};

/** Checks the blocks after a number: the requested number of them, or fewer if they have many lines. */
export const verifyBlocks = async (
  deps: Pick<Deps, 'db'> & SealingKeys,
  now: number,
  { after, maxBlocks, maxLines }: { after: number; maxBlocks: number; maxLines: number },
): Promise<Checked> => {
  const { db } = deps;
  const {
    before: [before],
    found,
  } = await runAll(db, {
    before: findBlockBefore(db, { number: after + 1 }),
    found: findBlocks(db, { after, limit: maxBlocks + 1 }),
  });
  const fitting = found
    .slice(0, maxBlocks)
    .filter((_block, at) => at === 0 || sumLines(found.slice(0, at + 1)) <= maxLines);
  const links = await readLines(db, before, fitting);
  const findings: Finding[] = [];
  for (const link of links) findings.push(...(await checkLink(deps, link, now)));
  const last = links.at(-1)?.block.number ?? after;
  const end = links.length === found.length ? await checkEnd(db, last, now) : null;
  return {
    after: last,
    blocks: links.length,
    lines: links.reduce((sum, { lines }) => sum + lines.length, 0),
    unsealed: end?.lines ?? null,
    findings: [...findings, ...(end?.findings ?? [])],
  };
};
