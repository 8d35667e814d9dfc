import { describe, expect, it } from 'vitest';
import { contracts } from '../../src/contracts.ts';
import { catalogue, fieldSentences } from '../../src/errors.ts';
import { fieldIssues } from '../../src/http/field-issues.ts';
import { messages } from '../../src/messages.ts';

const all = Object.entries({ ...catalogue, ...fieldSentences, ...messages }) as [
  string,
  { id: string; en: string },
][];

describe('every sentence that a person can see', () => {
  it('stands in both languages, as a sentence, with the same numbers in it', () => {
    const wrong = all.filter(([, { id, en }]) => {
      const isSentence = [id, en].every((text) => /^[\p{Lu}{].*\.$/u.test(text));
      return !isSentence || id === en || id.includes('{limit}') !== en.includes('{limit}');
    });
    expect(wrong.map(([key]) => key)).toEqual([]);
  });

  it('exists for whatever a shape finds wrong with a field', () => {
    for (const { body } of Object.values(contracts)) {
      if (body === undefined) continue;
      for (const value of [undefined, null, 5, 'x', '\0', -1, [], 'x'.repeat(9_999)]) {
        const input = Object.fromEntries(Object.keys(body.shape).map((name) => [name, value]));
        const { error } = body.safeParse(input);
        for (const { rule } of fieldIssues(error?.issues ?? [], input))
          expect(fieldSentences).toHaveProperty(rule);
      }
    }
  });
});
