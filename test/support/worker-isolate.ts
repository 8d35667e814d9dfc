import { vi } from 'vitest';

/**
 * The Worker of an isolate that has served nothing yet. All files of a run share one: a Worker that another file has
 * opened would serve on with that file's settings and clinic.
 */
export const freshWorker = async () => {
  vi.resetModules();
  return (await import('../../src/worker.ts')).default;
};
