import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import * as z from 'zod/mini';
import type { Block, Line } from '../../../modules/auth/audit/block-queries.ts';
import type { SealingKeys } from '../../../modules/auth/audit/chain.ts';
import type { Finding } from '../../../modules/auth/audit/rules.ts';
import { checkLink, type Link } from '../../../modules/auth/audit/verify.ts';

// A copy of the trail is a text of one JSON object a line: a head, each block followed by its lines, and an end.

const text = z.nullable(z.string());
const block = z.object({
  number: z.int(),
  lastSequence: z.int(),
  lines: z.int(),
  newestAt: z.int(),
  sealedAt: z.int(),
  linesHash: z.string(),
  previousHash: z.string(),
  hash: z.string(),
  keyId: z.string(),
  seal: z.string(),
});
const line = z.object({
  sequence: z.int(),
  writeId: z.string(),
  type: z.string(),
  userId: text,
  actorKind: z.string(),
  actorId: text,
  deviceLoginId: text,
  network: text,
  requestId: text,
  occurredAt: z.int(),
  patientId: text,
  route: text,
  detail: text,
});
const entry = z.union([
  z.object({ janji_audit: z.literal(1), clinic_id: z.string(), previous: z.nullable(block) }),
  z.object({ block }),
  z.object({ line }),
  z.object({ end: z.object({ blocks: z.int(), lines: z.int() }) }),
]);

export type Head = z.infer<(typeof entry)['_zod']['def']['options'][0]>;

/** One line of the file for each object. */
export const written = (object: z.infer<typeof entry> | { line: Line; names: object }): string =>
  `${JSON.stringify(object)}\n`;

const notACopy = (file: string, why: string) =>
  new Error(`${file} is no whole copy of an audit trail: ${why}.`);

const parsed = (file: string, at: number, row: string) => {
  try {
    return entry.parse(JSON.parse(row));
  } catch {
    throw notACopy(file, `line ${at} cannot be read`);
  }
};

interface CheckedCopy {
  head: Head;
  /** The hash of each block, by its number. */
  hashes: ReadonlyMap<number, string>;
  lines: number;
  findings: Finding[];
}

/** Reads a copy completely and checks each block; throws for an incomplete file. */
export const checkCopy = async (
  file: string,
  findKeys: (head: Head) => Promise<SealingKeys | null>,
  now: number,
): Promise<CheckedCopy> => {
  const findings: Finding[] = [];
  const hashes = new Map<number, string>();
  let [at, lines] = [0, 0];
  let head: Head | undefined;
  let keys: SealingKeys | null = null;
  let link: (Link & { lines: Line[] }) | undefined;
  let end: { blocks: number; lines: number } | undefined;
  const settle = async (): Promise<void> => {
    if (link !== undefined) findings.push(...(await checkLink(keys, link, now)));
  };
  for await (const row of createInterface({
    input: createReadStream(file),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    at += 1;
    const read = parsed(file, at, row);
    if (end !== undefined || 'janji_audit' in read !== (at === 1))
      throw notACopy(file, `line ${at} is out of place`);
    if ('janji_audit' in read) {
      head = read;
      keys = await findKeys(read);
    } else if ('block' in read) {
      await settle();
      link = { previous: link?.block ?? head?.previous ?? undefined, block: read.block as Block, lines: [] };
      hashes.set(read.block.number, read.block.hash);
    } else if ('line' in read) {
      if (link === undefined) throw notACopy(file, `line ${at} is out of place`);
      link.lines.push(read.line as Line);
      lines += 1;
    } else end = read.end;
  }
  await settle();
  if (head === undefined || end === undefined) throw notACopy(file, 'its end is missing');
  if (end.blocks !== hashes.size || end.lines !== lines) throw notACopy(file, 'parts of it are missing');
  return { head, hashes, lines, findings };
};
