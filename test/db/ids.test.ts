import { describe, expect, it } from 'vitest';
import { newId } from '../../src/core/db/ids.ts';

const versionSeven = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('a new id', () => {
  it('is a UUID of version 7 that nobody had before, also when the pool of random bytes is used up', () => {
    const ids = Array.from({ length: 2_000 }, newId);
    for (const id of ids) expect(id).toMatch(versionSeven);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(ids.map((id) => id.slice(19))).size).toBe(ids.length);
  });

  it('begins with the millisecond in which it was made', () => {
    const before = Date.now();
    const madeAt = Number.parseInt(newId().replaceAll('-', '').slice(0, 12), 16);
    expect(madeAt).toBeGreaterThanOrEqual(before);
    expect(madeAt).toBeLessThanOrEqual(Date.now());
  });
});
