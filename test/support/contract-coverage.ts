import { existsSync, globSync, readFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import { catalogue } from '../../src/core/endpoint/errors.ts';
import { contracts } from '../../src/interface/contracts.ts';
import { documentedFailures } from '../../src/interface/reference/operations.ts';

/** The documented answers and failures of every route. */
const promised = () => {
  const routes = Object.values(contracts).map((contract) => {
    const name = `${contract.method.toUpperCase()} ${contract.path}`;
    const hasTag = Object.values(contract.returns).some(({ headers }) => headers?.includes('ETag'));
    const successes = [...Object.keys(contract.returns), ...(hasTag ? ['304'] : [])];
    const failures = documentedFailures(contract).map((code) => `${catalogue[code].status} ${code}`);
    return { successes: successes.map((s) => `${name} ${s}`), failures: failures.map((f) => `${name} ${f}`) };
  });
  return {
    'answers of routes': routes.flatMap(({ successes }) => successes),
    'failures of routes': routes.flatMap(({ failures }) => failures),
    'error codes': Object.keys(catalogue).map((code) => `code ${code}`),
  };
};

/** After a whole run on Node: which documented answers the suite met. A missing one fails the run. */
export class ContractCoverage implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const file = process.env.CONTRACT_COVERAGE;
    const ran = modules.filter(({ project }) => project.name === 'node').length;
    const all = globSync('test/**/*.test.ts').filter(
      (path) => !/^test\/(faults|workers|runtime|browser)\//.test(path),
    ).length;
    if (file === undefined || ran < all || !existsSync(file)) return;
    const met = new Set(readFileSync(file, 'utf8').split('\n'));
    process.stdout.write('\nThe documented interface, met by the tests:\n');
    for (const [what, lines] of Object.entries(promised())) {
      const missing = lines.filter((line) => !met.has(line));
      process.stdout.write(`  ${what}: ${lines.length - missing.length} of ${lines.length}\n`);
      for (const line of missing) process.stdout.write(`    FAIL: no test meets ${line}\n`);
      if (missing.length > 0) process.exitCode = 1;
    }
  }
}
