import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

const folders = [
  '.ci',
  'bench',
  'client',
  'deploy',
  'docs',
  'drizzle',
  'drizzle-directory',
  'scripts',
  'src',
  'test',
  'web',
];

describe('the top level of the repository', () => {
  it('has the folders that CONTRIBUTING.md and docs/architecture.md describe, and no build', () => {
    const listed = execFileSync('git', ['ls-tree', '-d', '--name-only', 'HEAD'], { encoding: 'utf8' });
    expect(listed.trim().split('\n').toSorted()).toEqual(folders);
  });
});
