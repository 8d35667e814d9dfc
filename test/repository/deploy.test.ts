import { readdirSync, readFileSync } from 'node:fs';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';

const problems = (text: string): string[] =>
  validate(text).map(({ message, range }) => `line ${range.start.line + 1}: ${message}`);

describe('deploy/Dockerfile', () => {
  it('has nothing that a linter finds wrong', () => {
    expect(problems(readFileSync('deploy/Dockerfile', 'utf8'))).toEqual([]);
    expect(problems('FROM node:24-slim\nRUNS npm ci\nEXPOSE many\n')).toHaveLength(2);
  });
});

describe('wrangler.toml', () => {
  it('gives each D1 an id of its own, also those in comments: local databases of one id are one', () => {
    const ids = [...readFileSync('wrangler.toml', 'utf8').matchAll(/^(?:# )?database_id = "(.+)"$/gm)];
    expect(ids).toHaveLength(3);
    expect(new Set(ids.map(([, id]) => id)).size).toBe(3);
  });
});

/** Whether the Worker is asked for a path before public/ is. */
const asksWorkerFirst = (configuration: string, path: string): boolean => {
  const [, list = ''] = /^run_worker_first = \[(.*?)\]/ms.exec(configuration) ?? [];
  const patterns = [...list.matchAll(/"(.+?)"/g)].map(([, pattern = '']) => pattern);
  return patterns.some((pattern) =>
    new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(path),
  );
};

describe.each(['wrangler.toml', 'wrangler.objects.toml'])('%s', (file) => {
  const configuration = readFileSync(file, 'utf8');
  const ignored = readFileSync('public/.assetsignore', 'utf8').split('\n');

  it('asks the Worker first for every file that has no hash in its name', () => {
    const files = readdirSync('public', { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `${entry.parentPath}/${entry.name}`.slice('public'.length))
      .filter((path) => !/\.(br|gz)$|^\/(assets\/.*|_headers|\.assetsignore)$/.test(path))
      .filter((path) => !ignored.includes(path.slice(1)));
    expect(files).toContain('/operator/index.html');
    expect(files.filter((path) => !asksWorkerFirst(configuration, path))).toEqual([]);
  });

  it('asks public/ first for the others, so that they cost no request of the Worker', () => {
    expect(asksWorkerFirst(configuration, '/assets/konsol-B2x.js')).toBe(false);
    expect(configuration).not.toContain('"!');
  });
});
