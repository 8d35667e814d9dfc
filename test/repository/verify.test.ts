import { existsSync, globSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { chooseTests } from '../../scripts/verify/choose-tests.ts';

const testsFor = (file: string): string[] => chooseTests([file], existsSync).tests.slice(1);

describe('npm run verify', () => {
  it.each([
    ['src/modules/catalog/fields/doctors.ts', ['test/catalog/', 'test/interface/']],
    ['src/modules/booking/seats/decision.ts', ['test/booking/seats/']],
    ['src/modules/booking/statistics/contract.ts', ['test/booking/statistics/', 'test/interface/']],
    ['src/core/tables/catalog.ts', ['test/db/']],
    ['src/core/endpoint/errors.ts', ['test/interface/']],
    ['src/core/http/page.ts', ['test/http/']],
    ['src/runtime/node/commands/check.ts', ['test/node/commands/']],
    ['src/jobs/retention.ts', ['test/jobs/']],
    ['test/catalog/doctors.test.ts', ['test/catalog/doctors.test.ts']],
    ['docs/bookings.md', []],
  ])('plays for %s the tests of its folder', (file, tests) => {
    expect(testsFor(file)).toEqual(tests);
  });

  it('has tests for every folder of modules, but those that others play through', () => {
    const folders = globSync('src/modules/*/').map((folder) => `${folder}/contract.ts`);
    expect(folders.length).toBeGreaterThan(10);
    const { without } = chooseTests(folders, existsSync);
    // The demo clinic is what tests of the whole service begin with; SATUSEHAT is tested with the outbox, in test/exchange.
    expect(without.toSorted()).toEqual(['src/modules/demo', 'src/modules/satusehat']);
  });

  it('names a folder that has no tests of its own', () => {
    expect(chooseTests(['src/core/nowhere/thing.ts'], () => false).without).toEqual(['src/core/nowhere']);
  });
});
