import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { run, runAll } from '../../../core/db/db.ts';
import { formatCsv } from '../../../core/http/csv.ts';
import type { Block } from '../../../modules/auth/audit/block-queries.ts';
import { countUnsealed, findBlockBefore, findBlocks } from '../../../modules/auth/audit/block-queries.ts';
import { tableColumns, tableRow } from '../../../modules/auth/audit/list.ts';
import { recordSecurityEvent } from '../../../modules/auth/audit/queries.ts';
import { sealTrail } from '../../../modules/auth/audit/seal.ts';
import type { Sealing } from '../../../modules/patients/numbers/numbers.ts';
import { sealBytes } from '../backup/age.ts';
import { written } from './copy.ts';
import { findNamedLines, findPeriod } from './queries.ts';

type NamedLine = ReturnType<typeof findNamedLines>['_']['result'][number];

/** The exported fields of blocks and lines. */
interface Form {
  head: (previous: Block | null) => string;
  block: (block: Block, lines: readonly NamedLine[]) => string;
  end: (blocks: number, lines: number) => string;
}

/** A copy that can be checked again, with the names of today beside each line. */
export const copyForm = (clinicId: string): Form => ({
  head: (previous) => written({ janji_audit: 1, clinic_id: clinicId, previous }),
  block: (block, lines) =>
    [
      written({ block }),
      ...lines.map(({ actorName, userName, patientName, ...line }) =>
        written({ line, names: { actor: actorName, user: userName, patient: patientName } }),
      ),
    ].join(''),
  end: (blocks, lines) => written({ end: { blocks, lines } }),
});

/** A table for a spreadsheet, which proves nothing. */
export const tableForm: Form = {
  head: () => formatCsv(tableColumns, []),
  block: ({ number }, lines) =>
    formatCsv(
      tableColumns,
      lines.map((line) => tableRow({ ...line, block: number })),
    ).replace(/^[^\n]*\n/, ''),
  end: () => '',
};

/** Seals whatever waits, so that nothing is left out. */
const sealAll = async (sealing: Sealing, now: number): Promise<void> => {
  for (let waiting = -1; ; ) {
    await sealTrail(sealing, now);
    const [end] = await run(sealing.db, countUnsealed(sealing.db, {}));
    if (end === undefined || end.lines === 0 || end.lines === waiting) return;
    waiting = end.lines;
  }
};

const blocksAStep = 50;

interface Total {
  blocks: number;
  lines: number;
}

/** The text of the whole blocks with the lines of a period, piece by piece; counts them into `total`. */
async function* writeBlocks(
  db: Sealing['db'],
  form: Form,
  period: { from: number; end: number },
  total: Total,
): AsyncGenerator<string> {
  const [{ first, last } = { first: null, last: null }] = await run(db, findPeriod(db, period));
  let isBegun = false;
  let after = 0;
  for (let more = first !== null && last !== null; more; ) {
    const {
      before: [before],
      blocks,
    } = await runAll(db, {
      before: findBlockBefore(db, { number: after + 1 }),
      blocks: findBlocks(db, { after, limit: blocksAStep }),
    });
    let previous = before;
    for (const block of blocks) {
      const start = previous?.lastSequence ?? 0;
      if (block.lastSequence >= (first ?? 0) && start < (last ?? 0)) {
        if (!isBegun) yield form.head(previous ?? null);
        isBegun = true;
        const lines = await run(db, findNamedLines(db, { after: start, last: block.lastSequence }));
        yield form.block(block, lines);
        total.blocks += 1;
        total.lines += lines.length;
      }
      previous = block;
    }
    after = previous?.number ?? after;
    more = blocks.length === blocksAStep && (previous?.lastSequence ?? 0) < (last ?? 0);
  }
  if (!isBegun) yield form.head(null);
  yield form.end(total.blocks, total.lines);
}

async function* encodePieces(text: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const piece of text) yield Buffer.from(piece);
}

/**
 * Writes the whole blocks with the lines of a period into a new file, encrypted if there is a recipient, and a line
 * about it into the trail. Returns how many blocks and lines there are.
 */
export const exportTrail = async (
  sealing: Sealing,
  file: string,
  form: Form,
  period: { from: number; end: number },
  { now, recipient }: { now: number; recipient: string | undefined },
): Promise<Total> => {
  const { db } = sealing;
  const event = { writeId: crypto.randomUUID(), type: 'audit_exported' as const, userId: null, now };
  await run(db, recordSecurityEvent(db, { ...event, detail: { by: 'command line', ...period } }));
  await sealAll(sealing, now);
  const total = { blocks: 0, lines: 0 };
  const text = writeBlocks(db, form, period, total);
  if (recipient !== undefined) await sealBytes(encodePieces(text), file, recipient);
  else await pipeline(Readable.from(text), createWriteStream(file, { flags: 'wx', mode: 0o600 }));
  return total;
};
