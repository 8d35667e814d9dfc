import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { quickStartOptions } from '../support/node/entries.ts';

// A suite of its own, since it takes minutes: `npm run faults`.
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['test/faults/**/*.test.ts'],
    globalSetup: fileURLToPath(new URL('../support/node/built.ts', import.meta.url)),
    testTimeout: 600_000,
    // They wait more than they work: two at once end sooner, and disturb each other as real neighbours do.
    maxWorkers: 2,
    execArgv: [...quickStartOptions],
  },
});
