import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { copyLive } from '../../../src/runtime/node/backup/live-copy.ts';
import { addArchived } from '../../../src/runtime/node/backup/with-archive.ts';
import { dumpFile } from '../../../src/runtime/node/clinics/file-copies.ts';
import { newFolder } from '../../support/node/command-line.ts';
import { longOpen } from '../../support/node/long-open.ts';
import { rowsIn } from '../../support/node/long-past.ts';

it('a copy for another deployment takes what is archived in steps: what the process does otherwise goes on', async () => {
  const visits = 6_000;
  const { folder, path, archive, janji } = await longOpen(visits, newFolder());
  const before = rowsIn(path).bookings.length;
  expect((await janji('archive')).status).toBe(0);
  expect(rowsIn(archive).bookings).toHaveLength(visits - 1);
  const copy = join(folder, 'copy.db');
  await copyLive(path, copy, () => {}, undefined);
  let turns = 0;
  let isMade = false;
  const others = (async () => {
    while (!isMade) {
      await setImmediate();
      turns += 1;
    }
  })();
  await addArchived(copy, undefined, archive, undefined);
  isMade = true;
  await others;
  // Each step takes five hundred rows.
  expect(turns).toBeGreaterThan(visits / 500);
  expect(rowsIn(copy).bookings).toHaveLength(before);
  const stream = await dumpFile(path, undefined);
  let text = '';
  for await (const bytes of stream) text += new TextDecoder().decode(bytes);
  const [, after = ''] = text.split('{"table":"bookings",');
  expect(after.split('\n{"table"')[0]?.split('\n').slice(1)).toHaveLength(before);
});
