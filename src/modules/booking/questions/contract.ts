import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { described, named, uuid } from '../../../core/endpoint/fields.ts';
import { Question } from '../../catalog/fields/questions.ts';
import { answersInput, GivenAnswer } from '../record/answer-shapes.ts';
import { expectedVersion } from '../record/shapes.ts';

const BookingAnswers = named('BookingAnswers', () => ({
  booking_id: uuid(),
  version: described(z.int(), 'The version of the booking.', { example: 2 }),
  questions_version: described(z.int(), 'Which wording the questions below have: for `PUT`.', { example: 3 }),
  questions: described(z.array(Question()), 'What this patient is asked now, in this order.'),
  answers: described(z.array(GivenAnswer()), 'What was answered.'),
  to_answer: described(z.array(z.string()), 'The ids of the required questions without an answer.', {
    example: [],
  }),
}));

const common = {
  path: '/v1/bookings/{id}/answers',
  tag: 'bookings',
  access: 'bearer',
} as const;

export const GetAnswers = endpoint({
  ...common,
  method: 'get',
  summary: 'What is asked before a visit, and what was answered',
  description:
    'For the patient, the family and the clinic. What the clinic reads leaves a line in the audit. Lists and events say no answer, only how many are missing or that they changed.',
  scope: 'bookings:read',
  discloses: 'record',
  returns: { 200: { description: 'Questions and answers.', data: BookingAnswers } },
});

export const PutAnswers = endpoint({
  ...common,
  method: 'put',
  summary: 'Answer the questions before a visit',
  description:
    'All at once: a question that is left out, or whose value is empty, has no answer then, and answers to questions that are not asked any more stay. A required question without an answer is no failure: the booking stands, and `to_answer` names it. The patient answers until the booking is canceled or the visit over, the clinic at any time. A patient’s account changes notes and answers at most 60 times an hour.',
  scope: 'bookings:write',
  body: () =>
    z.object({
      answers: answersInput(),
      questions_version: described(
        z.optional(z.int()),
        'Refuses with `questions_changed` unless the questions are still those that were read.',
        { example: 1 },
      ),
      version: expectedVersion(),
    }),
  returns: { 200: { description: 'Kept.', data: BookingAnswers, message: 'changed' } },
  fails: ['invalid_transition', 'version_mismatch', 'questions_changed', 'rate_limited'],
});
