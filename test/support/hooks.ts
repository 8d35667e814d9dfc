import { afterAll, afterEach, vi } from 'vitest';
import { closeDatabases } from '#test-database';
import { checkPlans } from './plans.ts';
import { forgetWorlds, settleAll } from './world.ts';

// A setup file, which runs for each file of tests, while modules are loaded once for all files of a worker: a hook
// that a module registers would serve the first file alone. What is registered last runs first.
afterEach(checkPlans);
// Work that goes on after an answer ends with its test.
afterEach(async () => void (await settleAll()));

afterAll(async () => {
  forgetWorlds();
  vi.restoreAllMocks();
  await closeDatabases();
});
