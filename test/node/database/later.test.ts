import { expect, it, onTestFinished } from 'vitest';
import { startFileThreads } from '../../../src/core/db/embedded/file-threads.ts';
import { openLater } from '../../../src/core/db/embedded/later.ts';
import { newPath } from '../../support/node/embedded-files.ts';

it('a file that is opened late is not opened any more once it was ended', async () => {
  const threads = startFileThreads(1);
  onTestFinished(() => threads.close());
  let openings = 0;
  const open = () => {
    openings += 1;
    return threads.open({ path: newPath(), cacheKib: 1_000, checkpointPages: 1_000 });
  };
  const late = openLater({ isThere: () => true, open, idleMs: 60_000 });
  const asked = late.execute('select 1').catch((error: unknown) => error);
  await late.end();
  expect(await asked).toMatchObject({ code: 'CLIENT_CLOSED' });
  expect([openings, late.isOpen(), late.isBusy()]).toEqual([0, false, false]);
});
