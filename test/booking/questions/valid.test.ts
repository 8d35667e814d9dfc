import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { questionTypes } from '../../../src/core/tables/words.ts';
import {
  type Answer,
  answered,
  judgeAnswer,
  longestAnswer,
  openQuestions,
} from '../../../src/modules/booking/record/answer-rules.ts';
import type { Question } from '../../../src/modules/catalog/fields/questions.ts';
import { book, createClinic } from '../../support/clinic-people.ts';
import { createWorld } from '../../support/world.ts';

const options = ['Ya, sekali', 'Tidak', '10'];
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    'yes',
    'no',
    'Ya, sekali',
    '36,5',
    '36.5',
    '-1',
    '1e3',
    '2026-02-28',
    '2026-02-30',
    ' ',
    '\u202Eabc',
  ),
  fc.constantFrom(
    '<img src=x onerror=alert(1)>',
    "'; drop table bookings; --",
    '=HYPERLINK("http://x")',
    'a\r\nb',
  ),
  fc.integer().map(String),
);
const question = fc
  .record({
    id: fc.constantFrom('a', 'b', 'c', 'd'),
    type: fc.constantFrom(...questionTypes),
    label: fc.constantFrom('Satu?', 'Dua?'),
    required: fc.boolean(),
    new_patients_only: fc.boolean(),
  })
  .map((one): Question => ({ ...one, options: one.type === 'choice' ? options : [] }));
const questions = fc.uniqueArray(question, { selector: ({ id }) => id, maxLength: 4 });
const given = fc.uniqueArray(fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), value: text }), {
  selector: ({ id }) => id,
  maxLength: 4,
});

const forms: Readonly<Record<Question['type'], RegExp>> = {
  text: /^[^\0]*$/s,
  choice: /^(Ya, sekali|Tidak|10)$/,
  yes_no: /^(yes|no)$/,
  number: /^-?\d+(\.\d+)?$/,
  date: /^\d{4}-\d\d-\d\d$/,
};

describe('an answer', () => {
  it('has the form of its question, is short and hides nothing, whatever was given', () => {
    fc.assert(
      fc.property(question, text, (asked, value) => {
        const judged = judgeAnswer(asked, value);
        if ('problem' in judged || judged.value === '') return;
        expect(judged.value).toMatch(forms[asked.type]);
        expect([...judged.value].length).toBeLessThanOrEqual(longestAnswer);
        expect(judged.value.replaceAll(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u);
        if (asked.type === 'date')
          expect(new Date(judged.value).toISOString().slice(0, 10)).toBe(judged.value);
        // As it is shown it can be given again.
        expect(judgeAnswer(asked, judged.value)).toEqual(judged);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['text', 'a'.repeat(501), 'too_long'],
    ['text', 'a\u0007b', 'characters'],
    ['text', 'a\u2066b', 'characters'],
    ['text', '\uD800', 'characters'],
    ['choice', 'ya, sekali', 'not_allowed'],
    ['yes_no', 'ya', 'not_allowed'],
    ['number', '1e3', 'number'],
    ['number', '1.000,5', 'number'],
    ['number', '1234567890123', 'number'],
    ['date', '2026-02-30', 'date'],
    ['date', '30/02/2026', 'date'],
  ] as const)('to a question of type %s is not %j', (type, value, rule) => {
    expect(judgeAnswer({ type, options }, value)).toMatchObject({ problem: { rule } });
  });

  it.each([
    ['number', ' 36,5 ', '36.5'],
    ['text', ' dua\r\nbaris ', 'dua\nbaris'],
    ['text', '<b>tebal</b>', '<b>tebal</b>'],
    ['text', ' \n ', ''],
  ] as const)('to a question of type %s is read as people write it: %j', (type, value, kept) => {
    expect(judgeAnswer({ type, options }, value)).toEqual({ value: kept });
  });
});

describe('the answers of a booking', () => {
  const now = { at: 1, by: 'patient' as const };

  it('are one a question, and lose none to a question that is not asked any more', () => {
    fc.assert(
      fc.property(questions, questions, given, given, (before, after, first, second) => {
        const ids = (asked: readonly Question[]) => new Set(asked.map(({ id }) => id));
        const known = (asked: readonly Question[], all: typeof first) =>
          all.filter(({ id }) => ids(asked).has(id));
        const once = answered(before, [], known(before, first), now);
        if ('issues' in once) return;
        const twice = answered(after, once.answers, known(after, second), { ...now, at: 2 });
        if ('issues' in twice) return;
        expect(new Set(twice.answers.map(({ id }) => id)).size).toBe(twice.answers.length);
        const gone = once.answers.filter(({ id }) => !ids(after).has(id));
        expect(twice.answers).toEqual(expect.arrayContaining(gone));
        for (const { id, at, label } of twice.answers)
          if (at === 2) expect(after).toContainEqual(expect.objectContaining({ id, label }));
      }),
      { numRuns: 1_000 },
    );
  });

  it('keep at most 40 to questions that are not asked any more, the latest', () => {
    const many = Array.from(
      { length: 50 },
      (_, nth): Answer => ({ id: `f${nth}`, type: 'text', label: 'x', value: 'y', ...now }),
    );
    const after = answered([], many, [], now);
    expect('answers' in after && after.answers.map(({ id }) => id)).toEqual(
      many.slice(-40).map(({ id }) => id),
    );
  });

  it('are counted in lists as the rule says', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const { token } = clinic.admin;
    const id = await book(world, clinic);
    await fc.assert(
      fc.asyncProperty(questions, given, async (asked, answers) => {
        const path = `/v1/admin/sessions/${clinic.practice.sessionId}`;
        await world.request(path, { method: 'PATCH', token, body: { questions: asked } });
        await world.request(`/v1/bookings/${id}/answers`, { method: 'PUT', token, body: { answers } });
        const { data } = (await world.request(`/v1/bookings/${id}/answers`, { token })).body;
        const list = await world.request('/v1/bookings?date=2026-11-23', { token });
        const isAsked = asked.length > 0 || list.body.data[0].to_answer !== null;
        expect(list.body.data[0].to_answer).toBe(isAsked ? data.to_answer.length : null);
        expect(data.to_answer).toEqual(openQuestions(asked, data.answers, false).map((one) => one.id));
      }),
      { numRuns: 40 },
    );
  });
});
