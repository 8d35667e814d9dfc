import { afterAll, afterEach, vi } from 'vitest';
import { closeDatabases } from '#test-database';
import { checkPlans } from './plans.ts';
import { forgetWorlds, settleAll } from './world.ts';

// A setup file, which runs for each test file, while modules are loaded once for all files of a worker: a hook
// registered by a module would apply to the first file alone. The last registered runs first.
afterEach(checkPlans);
// Background work after an answer ends with its test.
afterEach(async () => void (await settleAll()));

afterAll(async () => {
  forgetWorlds();
  vi.restoreAllMocks();
  await closeDatabases();
});
