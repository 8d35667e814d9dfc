import { mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { Response as Answer } from 'miniflare';
import { defineConfig } from 'vitest/config';
import { migrationsAtBuild } from './scripts/worker/migrations-at-build.ts';
import { commonPasswordsFile } from './src/runtime/node/common-passwords.ts';
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

/** Long: a test that hangs is found all the same, and none fails because the machine is slow. */
const limits = { testTimeout: 300_000, hookTimeout: 300_000 };

const shared = {
  // One process, of Node or workerd, for all files that it runs: to load the program takes longer than most files do.
  // Each test makes its own world; each workerd has a D1 of its own.
  isolate: false,
  sequence: { groupOrder: 2 },
  setupFiles: './test/support/hooks.ts',
  globalSetup: ['./test/support/mail-provider.ts', './test/support/message-gateway.ts'],
  ...limits,
};

// What is of one runtime, or has a configuration of its own; the rest is the service's behaviour, on whatever it stores.
const notInWorkerd = ['faults', 'repository', 'node', 'runtime', 'browser'].map(
  (folder) => `test/${folder}/**`,
);
const objectDatabase = './test/support/objects/database.ts';
/** Secrets of these tests alone. */
const objectSettings = {
  JWT_SECRET: 'a-secret-that-is-used-by-tests-only-0123456789',
  DATA_KEY: '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff',
  OPERATOR_SECRET: 'the-operators-secret-of-these-tests-0123456789',
  DEMO: 'on',
  RATE_LIMIT: 'off',
  LOG_LEVEL: 'silent',
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
          ...limits,
        },
      },
      {
        test: {
          name: 'node',
          ...shared,
          globalSetup: ['./test/support/node/built.ts', ...shared.globalSetup],
          include: ['test/**/*.test.ts'],
          exclude: [
            'test/faults/**',
            'test/workers/**',
            'test/objects/**',
            'test/runtime/**',
            'test/browser/**',
          ],
        },
      },
      {
        plugins: [
          cloudflareTest({
            miniflare: {
              compatibilityDate: '2026-10-01',
              compatibilityFlags: ['nodejs_compat'],
              d1Databases: ['DB', 'ARCHIVE_DB'],
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
          exclude: [...notInWorkerd, 'test/objects/**'],
        },
      },
      {
        // The same behaviour on the database of an object, in workerd.
        plugins: [
          migrationsAtBuild,
          cloudflareTest({
            main: './test/support/objects/worker.ts',
            miniflare: {
              compatibilityDate: '2026-10-01',
              compatibilityFlags: ['nodejs_compat'],
              durableObjects: {
                CLINIC: { className: 'Clinic', useSQLite: true },
                DIRECTORY: { className: 'Directory', useSQLite: true },
                ARCHIVE: { className: 'Archive', useSQLite: true },
                SANDBOXES: { className: 'Sandbox', useSQLite: true },
                STORE: { className: 'Store', useSQLite: true },
              },
              modulesRules: [{ type: 'CompiledWasm', include: ['**/*.wasm'] }],
              bindings: objectSettings,
              // An object has no other way to the list than the static files of its deployment.
              serviceBindings: { ASSETS: () => new Answer(readFileSync(commonPasswordsFile)) },
            },
          }),
        ],
        resolve: { alias: { '#test-database': fileURLToPath(new URL(objectDatabase, import.meta.url)) } },
        test: {
          name: 'objects',
          ...shared,
          include: ['test/**/*.test.ts'],
          exclude: [...notInWorkerd, 'test/workers/**'],
        },
      },
    ],
  },
}));
