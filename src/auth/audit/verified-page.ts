import type { Deps } from '../../deps.ts';
import type { QueryOf } from '../../endpoint/endpoint.ts';
import { defaultLimit } from '../../http/page.ts';
import type { VerifyAudit } from './contract.ts';
import { verdictOf } from './rules.ts';
import { verifyBlocks } from './verify.ts';

/** How many lines a request reads: some megabytes, and tens of milliseconds. */
const linesAPage = 5_000;

/** The next blocks of the chain, checked. */
export const verifiedPage = async (
  deps: Deps,
  now: number,
  { after = 0, limit = defaultLimit }: QueryOf<typeof VerifyAudit>,
) => {
  const checked = await verifyBlocks(deps, now, { after, maxBlocks: limit, maxLines: linesAPage });
  const { firstBlock, lastBlock, lines, unsealed, findings } = checked;
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
  return { data, meta: { after: lastBlock ?? after, more: unsealed === null } };
};
