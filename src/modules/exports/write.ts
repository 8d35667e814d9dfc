import type { Deps } from '../../core/deps.ts';
import type { AnyActor } from '../auth/context.ts';
import { assertStillAdmitted } from '../booking/seats/still-admitted.ts';
import { columnsOf } from './columns.ts';
import { type ExportFormat, writings } from './form.ts';
import { type ExportKind, type Reading, sources } from './sources.ts';

interface Wanted {
  kind: ExportKind;
  format: ExportFormat;
  /** Only rows that changed at this instant or later. */
  since: number;
}

/** An export as text, one piece for each page of rows: a page is freed once it is taken. */
export async function* writeExport(
  reading: Reading,
  { kind, format, since }: Wanted,
  count: (rows: number) => void = () => {},
): AsyncGenerator<string> {
  const { head, row } = writings[format];
  const columns = columnsOf[kind];
  let text = head(columns);
  let position = { since, afterId: '' };
  for (;;) {
    const { rows, next } = await sources[kind](reading, position);
    count(rows.length);
    for (const each of rows) text += row(columns, each);
    if (text !== '') yield text;
    text = '';
    if (next === null) return;
    position = next;
  }
}

/**
 * The same as bytes, read only as fast as the client takes them, and only while the caller has access. The first page is
 * read at once, so that its failure can be answered.
 */
export const streamExport = async (
  { deps, actor }: { deps: Deps; actor: AnyActor },
  wanted: Wanted,
): Promise<ReadableStream<Uint8Array>> => {
  const pieces = writeExport(deps, wanted);
  const encoder = new TextEncoder();
  let ahead = await pieces.next();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        if (ahead.done) return controller.close();
        controller.enqueue(encoder.encode(ahead.value));
        ahead = await pieces.next();
        if (!ahead.done) await assertStillAdmitted(deps, actor);
        if (ahead.done) controller.close();
      },
      cancel: async () => void (await pieces.return(undefined)),
    },
    { highWaterMark: 0 },
  );
};
