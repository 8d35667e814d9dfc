import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Licences that were read and put no obligation on a clinic that runs the service. */
const permissive = new Set([
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-3-Clause',
  'Unlicense',
  'MIT-0',
  'MIT OR Apache-2.0',
  'PSF-2.0',
  '(ISC AND CC-BY-3.0)',
]);

interface Component {
  name: string;
  version: string;
  hashes?: unknown[];
  licenses?: { license?: { id?: string }; expression?: string }[];
}

it('the list of packages has what runs in production, each with its licence and its hash', () => {
  const printed = execFileSync(process.execPath, ['scripts/sbom.ts'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { components } = JSON.parse(String(printed)) as { components: Component[] };
  const listed = new Set(components.map(({ name, version }) => `${name}@${version}`));
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const built = ['hono', 'zod', 'drizzle-orm', '@libsql/client', 'pino', 'swagger-ui-dist'];
  const wanted = [
    ...Object.entries(dependencies),
    ...built.map((name) => [name, devDependencies[name]] as const),
  ].map(([name, version]) => `${name}@${version}`);
  expect(wanted.filter((each) => !listed.has(each))).toEqual([]);
  expect(
    [...listed].filter((each) =>
      /^(client|janji-client|openapi-fetch|vitest|wrangler|typescript|@biomejs|@sqld)/.test(each),
    ),
  ).toEqual([]);
  const odd = components.filter(({ hashes, licenses = [] }) => {
    const names = licenses.map(({ license, expression }) => license?.id ?? expression ?? '');
    return (hashes ?? []).length === 0 || names.length === 0 || names.some((name) => !permissive.has(name));
  });
  expect(odd).toEqual([]);
});
