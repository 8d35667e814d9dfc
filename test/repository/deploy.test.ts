import { readFileSync } from 'node:fs';
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
