import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';
import { ContractCoverage } from './test/support/contract-coverage.ts';
import { quickStartOptions } from './test/support/node/entries.ts';

const migrations = fileURLToPath(new URL('./drizzle', import.meta.url));

/** A folder in memory where the system has one with room, which goes with the run. */
const folderInMemory = (): string | undefined => {
  const memory = '/dev/shm';
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize < 4 * 2 ** 30) return undefined;
    const folder = mkdtempSync(join(memory, 'janji-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    return folder;
  } catch {
    return undefined;
  }
};

// Nothing that these tests write has to outlive a power cut: half of the time of those on Node is waiting for the disk.
// The fault suite, whose promise is about the disk, has a configuration of its own and stays there.
const inMemory = process.env.TMPDIR === undefined ? folderInMemory() : undefined;
if (inMemory !== undefined) process.env.TMPDIR = inMemory;

// Every process of a run notes here what it met of the interface; the reporter reads it at the end.
process.env.CONTRACT_COVERAGE ??= join(mkdtempSync(join(tmpdir(), 'janji-coverage-')), 'met.txt');

const shared = {
  // One process, of Node or workerd, for all files that it runs: to load the program takes longer than most files do.
  // Each test makes its own world; each workerd has a D1 of its own.
  isolate: false,
  sequence: { groupOrder: 2 },
  setupFiles: './test/support/hooks.ts',
  globalSetup: ['./test/support/mail-provider.ts', './test/support/message-gateway.ts'],
  testTimeout: 60_000,
};

export default defineConfig(async () => ({
  test: {
    reporters: ['default', new ContractCoverage()],
    maxWorkers: 2,
    execArgv: [...quickStartOptions],
    projects: [
      {
        test: {
          name: 'runtime',
          include: ['test/runtime/**/*.test.ts'],
          globalSetup: './test/support/node/built.ts',
          fileParallelism: false,
          // First: they wait for starts, one at a time, while what runs beside `npm test` has the other core.
          sequence: { groupOrder: 1 },
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'node',
          ...shared,
          globalSetup: ['./test/support/node/built.ts', ...shared.globalSetup],
          include: ['test/**/*.test.ts'],
          exclude: ['test/faults/**', 'test/workers/**', 'test/runtime/**', 'test/browser/**'],
        },
      },
      {
        plugins: [
          cloudflareTest({
            miniflare: {
              compatibilityDate: '2026-10-01',
              compatibilityFlags: ['nodejs_compat'],
              d1Databases: ['DB'],
              // Vite would otherwise take .wasm imports for itself and look for the file at run time.
              modulesRules: [{ type: 'CompiledWasm', include: ['**/*.wasm'] }],
              bindings: { MIGRATIONS: await readD1Migrations(migrations) },
            },
          }),
        ],
        test: {
          name: 'workers',
          ...shared,
          include: ['test/**/*.test.ts'],
          exclude: [
            'test/faults/**',
            'test/repository/**',
            'test/node/**',
            'test/runtime/**',
            'test/browser/**',
          ],
        },
      },
    ],
  },
}));
