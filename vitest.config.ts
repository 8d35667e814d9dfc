import { fileURLToPath } from 'node:url';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';

const migrations = fileURLToPath(new URL('./drizzle', import.meta.url));

export default defineConfig(async () => ({
  test: {
    projects: [
      {
        test: {
          name: 'runtime',
          include: ['test/runtime/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'node',
          testTimeout: 60_000,
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
          testTimeout: 60_000,
          include: ['test/**/*.test.ts'],
          exclude: ['test/faults/**', 'test/node/**', 'test/runtime/**', 'test/browser/**'],
        },
      },
    ],
  },
}));
