import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { expect, it } from 'vitest';
import { commandLine, newFolder } from '../../support/node/command-line.ts';
import { freePort } from '../../support/node/free-port.ts';

it('a service that is still starting ends at SIGTERM as in order, as the first process of a container too', async () => {
  const folder = newFolder();
  const made = new AbortController();
  const begun = new Promise<void>((resolve) => {
    watch(folder, { signal: made.signal }, () => resolve());
  });
  const settings = { JWT_SECRET: 'q7Zt0vE9mW2xLr8KpA5dHs3Yc6BnJf1U', PORT: String(await freePort()) };
  const service = commandLine(folder).spawnWith(
    { ...settings, DATA_KEY: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=' },
    'serve',
  );
  const ended = once(service, 'exit');
  await begun;
  made.abort();
  service.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

it('a signal that arrives just before the service can stop in order is not lost', async () => {
  const module = new URL('../../../src/runtime/node/serve/early-end.ts', import.meta.url);
  const program = `
    const { endAtSignal, handleSignals } = await import(${JSON.stringify(module)});
    endAtSignal();
    process.kill(process.pid, 'SIGTERM');
    handleSignals((signal) => process.exit(signal === 'SIGTERM' ? 7 : 8));
    setInterval(() => {}, 1000);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program]);
  expect(await once(child, 'exit')).toEqual([7, null]);
});
