import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { dumpPages } from '../../../core/db/copies/dump.ts';
import { fileStorage } from '../../../core/db/embedded/file-storage.ts';
import { openFile } from '../../../core/db/embedded/open-file.ts';
import { type CopyKeys, type Made, makeCopy } from '../backup/backup.ts';
import { loadDump } from '../backup/dump-file.ts';
import { copyLive, type Progress } from '../backup/live-copy.ts';
import { assertSound } from '../backup/soundness.ts';
import { addArchived } from '../backup/with-archive.ts';
import { counted } from '../counted-rules.ts';
import { withFolder } from '../database/cleared.ts';
import { openDatabase } from '../database/database.ts';
import type { FileKey } from '../database/file-key.ts';
import { type Deployment, RefusedThere, type RemoteClinic } from './deployment.ts';

/** How large a part of a copy is that is sent, in characters. */
const partSize = 4_000_000;
const mostTries = 4;

/** Copies a clinic of a deployment into a new file, and verifies it. */
export const exportFromDeployment = (
  deployment: Deployment,
  named: string,
  file: string,
  keys: CopyKeys,
  progress: Progress,
): Promise<Made> =>
  makeCopy(
    file,
    progress,
    (partial, to) =>
      withFolder(async (folder) => {
        const { body } = await deployment.send('GET', `${deployment.clinic(named)}/export`);
        if (body === null) throw new Error('The deployment answered nothing.');
        const dump = join(folder, 'copy.ndjson');
        await pipeline(Readable.fromWeb(body as NodeStream), createWriteStream(dump, { mode: 0o600 }));
        progress('the rows have arrived');
        const path = join(folder, 'copy.db');
        await loadDump(dump, path);
        await copyLive(path, partial, progress, undefined, to ?? null);
      }),
    keys,
  );

/** The text of all rows in parts, each with the number of lines before it. */
function* partsOf(pages: Iterable<string>): Generator<{ after: number; text: string }> {
  let [after, lines, text] = [0, 0, ''];
  for (const page of pages) {
    text += page;
    lines += page.split('\n').length - 1;
    if (text.length < partSize) continue;
    yield { after, text };
    [after, text] = [lines, ''];
  }
  if (text !== '') yield { after, text };
}

type Taken = { lines: number; done: boolean };

/** Sends one part, again if the answer was lost: what has arrived is not taken twice. */
const sendPart = async (
  deployment: Deployment,
  named: string,
  { after, text }: { after: number; text: string },
): Promise<Taken> => {
  const path = `${deployment.clinic(named)}/restore?after=${after}`;
  const end = after + text.split('\n').length - 1;
  for (let tried = 1; ; tried++) {
    try {
      const answer = await deployment.send('POST', path, { text });
      return ((await answer.json()) as { data: Taken }).data;
    } catch (error) {
      if (error instanceof RefusedThere) {
        if (error.code === 'part_out_of_turn' && error.extras.lines === end)
          return { lines: end, done: false };
        if (error.code !== 'unavailable' || tried >= mostTries) throw error;
      } else if (tried >= mostTries) throw error;
    }
    // The last part ends it: then nothing is under way any more.
    if (tried > 1 || after > 0) {
      const { data } = await deployment.ask<RemoteClinic>('GET', deployment.clinic(named));
      if (data.restored_lines === null && after > 0) return { lines: end, done: true };
    }
  }
};

/** Fills a new, closed clinic of a deployment with the rows of a verified copy, which may be of an older version, and of an archive. */
export const restoreToDeployment = (
  deployment: Deployment,
  named: string,
  file: string,
  key: FileKey,
  progress: Progress,
  archive: string | null = null,
  /** Changes the rows before they are sent. */
  change: (path: string) => Promise<void> = async () => {},
): Promise<void> =>
  withFolder(async (folder) => {
    await assertSound(file, progress, key);
    const path = join(folder, 'source.db');
    await copyLive(file, path, progress, key, null);
    if (archive !== null) await addArchived(path, undefined, archive, key);
    await (await openDatabase(`file:${path}`)).close();
    await change(path);
    const database = openFile(path, { timeout: 5_000 });
    try {
      let isDone = false;
      for (const part of partsOf(dumpPages(fileStorage(database)))) {
        const taken = await sendPart(deployment, named, part);
        progress(`${counted(taken.lines, 'line')} arrived`);
        isDone = taken.done;
      }
      if (!isDone) throw new Error('The copy did not arrive whole.');
    } finally {
      database.close();
    }
  });
