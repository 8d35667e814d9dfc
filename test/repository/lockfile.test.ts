import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Locked {
  version?: string;
  integrity?: string;
  link?: boolean;
  inBundle?: boolean;
  workspaces?: string[];
}

type Packages = Readonly<Record<string, Locked>>;

/**
 * The packages whose content a lockfile does not pin; our own, which come with the repository, and links have none, and
 * what comes inside another package has that one's.
 */
const withoutHash = (packages: Packages): string[] => {
  const own = ['', ...(packages['']?.workspaces ?? [])];
  return Object.entries(packages)
    .filter(
      ([path, { link, inBundle, integrity }]) =>
        !own.includes(path) && link !== true && inBundle !== true && !/^sha512-/.test(integrity ?? ''),
    )
    .map(([path, { version }]) => `${path} ${version}`);
};

const packagesOf = (path: string): Packages => JSON.parse(readFileSync(path, 'utf8')).packages;

describe.each(['package-lock.json', 'bench/package-lock.json'])('%s', (path) => {
  const packages = packagesOf(path);

  it('has the hash of every package, of every platform', () => {
    expect(Object.keys(packages).length).toBeGreaterThan(10);
    expect(withoutHash(packages)).toEqual([]);
  });

  it('would be noticed to lack one', () => {
    const [last = ''] = Object.keys(packages).slice(-1);
    const { integrity, ...unpinned } = packages[last] as Locked;
    expect(withoutHash({ ...packages, [last]: unpinned })).toEqual([`${last} ${unpinned.version}`]);
  });
});

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

it('lists what runs in production, each package with its licence and its hash', () => {
  const printed = execFileSync('npm', ['run', '--silent', 'sbom'], { stdio: ['ignore', 'pipe', 'ignore'] });
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
