// Imported before a server starts: its clock goes ahead of the machine's by as many milliseconds as a file says.

import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const file = process.env.CLOCK_AHEAD ?? '';
delete process.env.CLOCK_AHEAD;
const machine = Date.now.bind(Date);
let aheadMs = 0;
const read = (): void => {
  aheadMs = Number(readFileSync(file, 'utf8')) || aheadMs;
};
// Threads are started with the same imports; what they do asks for no clock of the clinic.
if (isMainThread) {
  read();
  setInterval(read, 50).unref();
  Date.now = () => machine() + aheadMs;
}
