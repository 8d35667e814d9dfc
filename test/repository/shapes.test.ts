import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { quickStartOptions } from '../support/node/entries.ts';

// Counts what zod makes, in a process of its own, where nothing has been read before.
const counting = `
import { registerHooks } from 'node:module';
globalThis.made = 0;
registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    if (!url.endsWith('/zod/v4/core/core.js')) return loaded;
    const source = String(loaded.source).replace(/function init\\(inst, def\\) \\{/, '$& globalThis.made += 1;');
    return { ...loaded, source };
  },
});
await import('./src/app.ts');
const { contracts } = await import('./src/interface/contracts.ts');
const asRead = globalThis.made;
contracts.CreateBooking.body();
const asked = globalThis.made;
contracts.CreateBooking.body();
process.stdout.write(JSON.stringify({ asRead, asked, again: globalThis.made }));
`;

it('makes no shape as the service is read, some as a contract is asked for them, and none again', () => {
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const printed = execFileSync(
    process.execPath,
    [...quickStartOptions, '--input-type=module', '--eval', counting],
    { cwd },
  );
  const { asRead, asked, again } = JSON.parse(String(printed));
  expect(asRead).toBe(0);
  expect(asked).toBeGreaterThan(5);
  expect(again).toBe(asked);
});
