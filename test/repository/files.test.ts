import { describe, expect, it } from 'vitest';
import { texts } from './source.ts';

describe('files', () => {
  it('use double casts only in db/, and never cast to never', () => {
    const forced = [...texts].filter(
      ([file, text]) =>
        (/\bas unknown as\b/.test(text) && !file.startsWith('core/db/')) || /\bas (never|any)\b/.test(text),
    );
    expect(forced.map(([file]) => file)).toEqual([]);
  });
});
