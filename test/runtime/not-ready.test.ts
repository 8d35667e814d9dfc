import { expect, it } from 'vitest';
import { freePort } from '../support/node/free-port.ts';
import { run } from '../support/servers.ts';

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it('a server that a test gives up has ended, and what it started with it', async () => {
  // As `npm run dev` does: it passes the signal on, and ends after the process that it started.
  const program = `
    const inner = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    process.on('SIGTERM', () => inner.kill());
    inner.on('exit', () => process.exit());
    require('node:http').createServer((_, answer) => answer.writeHead(503).end())
      .listen(Number(process.env.PORT), () => console.log('pids', process.pid, inner.pid));`;
  const PORT = String(await freePort());
  const started = run(['-e', program], { PORT }, `http://127.0.0.1:${PORT}`, (printed) => printed !== '');
  const failure = await started.then(String, String);
  const pids = /pids (\d+) (\d+)/.exec(failure)?.slice(1).map(Number) ?? [];
  expect(pids).toHaveLength(2);
  expect(pids.map(isThere)).toEqual([false, false]);
});
