import { sha256 } from '#hmac';
import { deriveEach } from '../../../core/crypto/key-derivation.ts';
import type { Deps } from '../../../core/deps.ts';
import type { Block, Line } from './block-queries.ts';

/** The keys that seal and that open, the present one first. */
export type SealingKeys = Pick<Deps, 'secretBox' | 'tokenKeys'>;

/** How the text below is made; it is part of every hash, so that a later form differs from this one. */
const form = 'janji audit 1';

/** The hashed form of a line: its columns in a fixed order, as JSON, which writes each in only one way. */
const canonical = (line: Line): string =>
  JSON.stringify([
    line.sequence,
    line.writeId,
    line.type,
    line.userId,
    line.actorKind,
    line.actorId,
    line.deviceLoginId,
    line.network,
    line.requestId,
    line.occurredAt,
    line.patientId,
    line.route,
    line.detail,
  ]);

export const hashOfLines = async (lines: readonly Line[]): Promise<string> =>
  sha256([form, ...lines.map(canonical)].join('\n'));

type Hashed = Omit<Block, 'hash' | 'keyId' | 'seal'>;

export const hashOfBlock = async (block: Hashed): Promise<string> =>
  sha256(
    JSON.stringify([
      form,
      block.number,
      block.lastSequence,
      block.lines,
      block.newestAt,
      block.sealedAt,
      block.linesHash,
      block.previousHash,
    ]),
  );

/** The seals of a hash by each key in force, by the key's id; the first is the present one's. */
export const deriveSeals = async (
  { secretBox, tokenKeys }: SealingKeys,
  hash: string,
): Promise<ReadonlyMap<string, string>> => {
  const seals = await deriveEach(tokenKeys, 'audit-seal', hash);
  const keyIds = [secretBox.keyId, ...secretBox.oldKeyIds];
  return new Map(keyIds.map((keyId, at) => [keyId, seals[at] ?? '']));
};

export const nextBlock = async (
  keys: SealingKeys,
  previous: Block | undefined,
  lines: readonly Line[],
  sealedAt: number,
): Promise<Block> => {
  const hashed: Hashed = {
    number: (previous?.number ?? 0) + 1,
    lastSequence: lines.at(-1)?.sequence ?? 0,
    lines: lines.length,
    newestAt: Math.max(...lines.map(({ occurredAt }) => occurredAt)),
    sealedAt,
    linesHash: await hashOfLines(lines),
    previousHash: previous?.hash ?? '',
  };
  const hash = await hashOfBlock(hashed);
  const { keyId } = keys.secretBox;
  return { ...hashed, hash, keyId, seal: (await deriveSeals(keys, hash)).get(keyId) ?? '' };
};
