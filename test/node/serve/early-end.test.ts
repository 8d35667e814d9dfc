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
}, 30_000);
