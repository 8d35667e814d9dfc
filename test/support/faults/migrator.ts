// Migrates a file as the start of the service does, and is killed on the way: before one of the statements that the
// migration prepares (a number), before or after its commit, or, by the process that started it, as the log grows
// (`log`). `count` lets it end, and prints how many statements it prepared: one that is repeated is prepared once. node
// test/support/faults/migrator.ts FILE 17|commit|committed|log|count

import Database from 'libsql';
import { connectDatabase } from '../../../src/runtime/node/database/database.ts';

const [path = '', moment = ''] = process.argv.slice(2);
const { exec, prepare } = Database.prototype;

const die = () => process.kill(process.pid, 'SIGKILL');
let isMigrating = false;
let prepared = 0;

Database.prototype.exec = function (text) {
  // The migration's own transaction is between these two.
  if (text === 'PRAGMA foreign_keys = OFF') isMigrating = true;
  if (isMigrating && text === 'COMMIT' && moment === 'commit') die();
  if (isMigrating && text === 'PRAGMA foreign_keys = ON' && moment === 'committed') die();
  return exec.call(this, text);
};
Database.prototype.prepare = function (this: Database.Database, text: string) {
  if (isMigrating && String(prepared) === moment) die();
  if (isMigrating) prepared += 1;
  return prepare.call(this, text);
} as typeof prepare;

await (await connectDatabase(`file:${path}`)).migrate();
if (moment === 'count') {
  process.stdout.write(String(prepared));
  process.exit(0);
}
// The parent process, which waits for the log to grow, kills it: nothing is checkpointed or closed before.
setInterval(() => {}, 1_000);
