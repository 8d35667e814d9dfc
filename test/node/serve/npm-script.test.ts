import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';

const module = new URL('../../../src/runtime/node/serve/npm-script.ts', import.meta.url).href;

/** A script that serves until it is asked to end, and ends after a while. */
const serving = `
  const { endWithNpm } = await import('${module}');
  const serving = setTimeout(() => console.log('left behind'), 3_000);
  process.once('SIGTERM', () => {
    clearTimeout(serving);
    setTimeout(() => console.log('ended'), 1_200);
  });
  endWithNpm('start');
  console.log('serving');`;

/** The output of a script whose shell was ended, as npm ends it, or the shell and itself. */
const afterItsShell = async (lifecycleEvent: string, all = false): Promise<string> => {
  const shell = spawn('sh', ['-c', '"$NODE" --input-type=module -e "$SCRIPT"; true'], {
    env: { ...process.env, NODE: process.execPath, SCRIPT: serving, npm_lifecycle_event: lifecycleEvent },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  onTestFinished(() => void shell.kill('SIGKILL'));
  const [first] = await once(shell.stdout, 'data');
  const rest = text(shell.stdout);
  if (all) process.kill(-(shell.pid ?? 0), 'SIGTERM');
  else shell.kill('SIGTERM');
  return String(first) + (await rest);
};

it('a script of npm ends with the shell that npm handed the signal to', async () => {
  expect(await afterItsShell('start')).toBe('serving\nended\n');
});

it('one that was reached by the signal itself is not ended a second time, in the midst of its last answers', async () => {
  expect(await afterItsShell('start', true)).toBe('serving\nended\n');
});

it('one that was not started by npm outlives its shell', async () => {
  expect(await afterItsShell('')).toBe('serving\nleft behind\n');
});
