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
