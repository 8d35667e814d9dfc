import { setTimeout as sleep } from 'node:timers/promises';
import { openFile } from '../../../src/core/db/embedded/open-file.ts';

// A second process on the file that holds the write lock for 10 to 400 ms, again and again.
const database = openFile(process.argv[2] ?? '', { timeout: 5000, key: process.argv[3] });
process.on('disconnect', () => process.exit());

const between = (min: number, max: number) => min + Math.random() * (max - min);

for (;;) {
  try {
    database.exec('BEGIN IMMEDIATE');
    await sleep(between(10, 400));
    database.exec('ROLLBACK');
    process.send?.('held');
  } catch {
    // The other side was quicker.
  }
  await sleep(between(20, 200));
}
