import * as z from 'zod/mini';
import type { Deps } from '../../deps.ts';
import { once } from '../../endpoint/once.ts';
import { encodeCursor, nextLink } from '../../http/cursor.ts';
import { verdictOf } from './rules.ts';
import { verifyBlocks } from './verify.ts';

/** How many lines a request reads: some megabytes, and tens of milliseconds. */
const linesAPage = 5_000;

export const blockPosition = once(() => z.tuple([z.int().check(z.minimum(0))]));

/** The next blocks of the chain, checked. */
export const verifiedPage = async (
  deps: Deps,
  now: number,
  after: number,
  maxBlocks: number,
  path: string,
  query: object,
) => {
  const checked = await verifyBlocks(deps, now, { after, maxBlocks, maxLines: linesAPage });
  const { firstBlock, lastBlock, lines, unsealed, findings } = checked;
  const next_cursor = unsealed === null && lastBlock !== null ? encodeCursor([lastBlock]) : null;
  const data = {
    verdict: verdictOf(findings),
    first_block: firstBlock,
    last_block: lastBlock,
    lines,
    unsealed,
    findings: findings.map(({ kind, block, fromSequence, toSequence }) => ({
      kind,
      block,
      from_sequence: fromSequence,
      to_sequence: toSequence,
    })),
  };
  return { data, meta: { next_cursor }, headers: nextLink(path, { ...query }, next_cursor) };
};
