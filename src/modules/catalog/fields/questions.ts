import * as z from 'zod/mini';
import { described, foreignCode, must, named, oneLine } from '../../../core/endpoint/fields.ts';
import { type QuestionType, questionTypes } from '../../../core/tables/words.ts';

/** What a session asks before the visit. */
export interface Question {
  id: string;
  type: QuestionType;
  label: string;
  required: boolean;
  new_patients_only: boolean;
  options: readonly string[];
}

export const mostQuestions = 20;
const mostOptions = 12;

const fields = () => ({
  id: described(
    foreignCode(40),
    'The author of the question chooses it, and never uses it for another question: answers are kept under it.',
    { example: 'alergi' },
  ),
  type: described(
    z.enum(questionTypes),
    'How it is answered: `text` in words, `choice` by one of `options`, `yes_no`, `number`, `date`.',
    { example: 'text' },
  ),
  label: described(
    oneLine(200),
    'The question as people read it. An answer keeps the wording it was given to.',
    {
      example: 'Apakah Anda alergi terhadap obat?',
    },
  ),
});

const meanings = {
  required: 'Whether the clinic needs an answer. A booking without one stands all the same.',
  newOnly: 'Asked only of patients who have never come to a visit of the clinic.',
  options: 'What a `choice` is made from, two at least; empty for every other type.',
};

export const Question = named('Question', () => ({
  ...fields(),
  required: described(z.boolean(), meanings.required, { example: true }),
  new_patients_only: described(z.boolean(), meanings.newOnly, { example: false }),
  options: described(z.array(z.string()), meanings.options, { example: [] }),
}));

const option = () => oneLine(80);

const hasItsOptions = ({ type, options }: { type: QuestionType; options: readonly string[] }): boolean =>
  type === 'choice' ? options.length >= 2 : options.length === 0;

const areDistinct = (values: readonly string[]): boolean => new Set(values).size === values.length;

/** A session's questions in a body. */
export const questionsInput = () => {
  const { id, type, label } = fields();
  const question = z
    .object({
      id,
      type,
      label,
      required: described(z._default(z.boolean(), false), meanings.required, { example: true }),
      new_patients_only: described(z._default(z.boolean(), false), meanings.newOnly, { example: false }),
      options: described(
        z._default(z.array(option()).check(z.maxLength(mostOptions), must(areDistinct, 'taken')), []),
        meanings.options,
        { example: [] },
      ),
    })
    .check(z.refine(hasItsOptions, { path: ['options'], params: { rule: 'options' }, abort: true }));
  return z.array(question).check(
    z.maxLength(mostQuestions),
    must((all) => areDistinct(all.map(({ id: one }) => one)), 'taken'),
  );
};

/** Questions as a column has them; null where there are none. */
export const questionsText = (questions: readonly Question[]): string | null =>
  questions.length === 0 ? null : JSON.stringify(questions);

export const questionsIn = (text: string | null): Question[] => (text === null ? [] : JSON.parse(text));
