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
