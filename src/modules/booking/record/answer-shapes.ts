import * as z from 'zod/mini';
import { described, foreignCode, freeText, named, utcInstant } from '../../../core/endpoint/fields.ts';
import { questionTypes } from '../../../core/tables/words.ts';
import { mostQuestions } from '../../catalog/fields/questions.ts';
import { longestAnswer } from './answer-rules.ts';

export const answersInput = () =>
  described(
    z
      .array(
        z.object({
          id: described(foreignCode(40), 'The question.', { example: 'alergi' }),
          value: described(
            freeText(longestAnswer),
            'By the type of the question: any text of at most 500 characters, one of the options as it is written, `yes` or `no`, a number such as `36.5` (at most 12 digits, and 6 after the point or comma), or a date as YYYY-MM-DD. Empty for no answer.',
            { example: 'Penisilin' },
          ),
        }),
      )
      .check(z.maxLength(mostQuestions)),
    'Each question at most once.',
    { example: [] },
  );

export const GivenAnswer = named('GivenAnswer', () => ({
  id: described(z.string(), 'The question, which may not be asked any more.', { example: 'alergi' }),
  type: described(z.enum(questionTypes), 'How it was asked.', { example: 'text' }),
  label: described(z.string(), 'The wording that it was given to.', {
    example: 'Apakah Anda alergi terhadap obat?',
  }),
  value: described(z.string(), 'In the form that `PUT` takes.', { example: 'Penisilin' }),
  answered_at: described(utcInstant(), 'When it was given.'),
  by: described(z.enum(['patient', 'clinic']), 'Which side wrote it.', { example: 'patient' }),
}));
