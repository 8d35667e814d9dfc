import { openFile } from '../../../src/core/db/embedded/open-file.ts';

// A second process on the file: it takes and releases locks, or writes, on command.
const database = openFile(process.argv[2] ?? '', { timeout: 5000, key: process.argv[3] });
let writing: NodeJS.Timeout | undefined;

const orders: Record<string, () => void> = {
  lock: () => database.exec('BEGIN IMMEDIATE'),
  unlock: () => database.exec('ROLLBACK'),
  make: () =>
    database.exec('PRAGMA journal_mode = WAL; CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)'),
  seize: () => database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE'),
  free: () => database.exec('ROLLBACK; PRAGMA locking_mode = NORMAL; SELECT * FROM note'),
  write: () => {
    writing = setInterval(() => database.exec("INSERT INTO note (text) VALUES ('theirs')"), 1);
  },
  rest: () => clearInterval(writing),
};

process.on('message', (order: string) => {
  orders[order]?.();
  process.send?.(order);
});
process.on('disconnect', () => process.exit());
