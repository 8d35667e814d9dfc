// Pure: what a question before the visit takes as an answer, and the answers of a booking after somebody answered.

import type { FieldIssue, FieldProblem } from '../../../core/endpoint/field-sentences.ts';
import type { QuestionType } from '../../../core/tables/words.ts';
import type { Question } from '../../catalog/fields/questions.ts';

/** An answer as a booking keeps it: with the wording it was given to, and when and by which side it was given. */
export interface Answer {
  id: string;
  type: QuestionType;
  label: string;
  value: string;
  at: number;
  by: 'patient' | 'clinic';
}

interface GivenAnswer {
  id: string;
  value: string;
}

export const longestAnswer = 500;
/** Answers to questions that are not asked any more stay; of very many the latest. */
const mostFormer = 40;

/** Answers as a column has them, and none where nothing was asked. */
export const answersIn = (text: string | null): Answer[] => (text === null ? [] : JSON.parse(text));

// Controls, ends of lines and paragraphs, and what turns the direction of the text around it.
const hidden = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;
const hasHidden = (text: string): boolean => hidden.test(text.replaceAll(/[\n\t]/g, ''));
const numberForm = /^-?\d{1,12}([.,]\d{1,6})?$/;
const dateForm = /^(\d{4})-(\d{2})-(\d{2})$/;

const isDate = (text: string): boolean => {
  if (!dateForm.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
};

type Judged = { value: string } | { problem: FieldProblem };

const judges: Readonly<Record<QuestionType, (text: string, options: readonly string[]) => Judged>> = {
  text: (text) => ({ value: text }),
  choice: (text, options) =>
    options.includes(text)
      ? { value: text }
      : { problem: { rule: 'not_allowed', limit: options.join(', ') } },
  yes_no: (text) =>
    text === 'yes' || text === 'no'
      ? { value: text }
      : { problem: { rule: 'not_allowed', limit: 'yes, no' } },
  // People here write 36,5.
  number: (text) =>
    numberForm.test(text) ? { value: text.replace(',', '.') } : { problem: { rule: 'number' } },
  date: (text) => (isDate(text) ? { value: text } : { problem: { rule: 'date' } }),
};

/** An answer in the form in which it is kept, or what is wrong with it; empty for none. */
export const judgeAnswer = ({ type, options }: Pick<Question, 'type' | 'options'>, given: string): Judged => {
  const text = given.replaceAll(/\r\n?/g, '\n').trim();
  if (text === '') return { value: '' };
  if ([...text].length > longestAnswer) return { problem: { rule: 'too_long', limit: longestAnswer } };
  if (!text.isWellFormed() || hasHidden(text)) return { problem: { rule: 'characters' } };
  return judges[type](text, options);
};

/** The questions that this patient is asked: those for new patients not of one who has come before. */
export const filterAsked = (questions: readonly Question[], isKnown: boolean): Question[] =>
  questions.filter((question) => !(question.new_patients_only && isKnown));

/** An answer counts for the question of its id while that asks for the same kind of answer. */
const answers = (question: Question) => (answer: Answer) =>
  answer.id === question.id && answer.type === question.type;

/** The required questions that have no answer yet. The column `to_answer` of lists counts them by the same rule, in SQL. */
export const openQuestions = (
  questions: readonly Question[],
  given: readonly Answer[],
  isKnown: boolean,
): Question[] =>
  filterAsked(questions, isKnown).filter((question) => question.required && !given.some(answers(question)));

/**
 * The answers after somebody answered all questions at once: one that is left out or empty is none. One that stays the
 * same keeps its wording and its time, and those to questions that are not asked any more stay as they were; so does one
 * to a question for new patients that is left out of a form that does not show it.
 */
export const answered = (
  questions: readonly Question[],
  before: readonly Answer[],
  given: readonly GivenAnswer[],
  { at, by, isKnown = false }: Pick<Answer, 'at' | 'by'> & { isKnown?: boolean },
): { answers: Answer[] } | { issues: FieldIssue[] } => {
  const issues: FieldIssue[] = [];
  const values = new Map<string, string>();
  for (const [nth, { id, value }] of given.entries()) {
    const question = questions.find((one) => one.id === id);
    const path = `answers.${nth}`;
    if (question === undefined) issues.push({ path: `${path}.id`, rule: 'not_found' });
    else if (values.has(id)) issues.push({ path: `${path}.id`, rule: 'taken' });
    else {
      const judged = judgeAnswer(question, value);
      if ('problem' in judged) issues.push({ path: `${path}.value`, ...judged.problem });
      values.set(id, 'value' in judged ? judged.value : '');
    }
  }
  if (issues.length > 0) return { issues };
  const now = questions.flatMap((question): Answer[] => {
    const { id, type, label } = question;
    const value = values.get(id) ?? '';
    if (value === '') return [];
    const former = before.find(answers(question));
    return [former?.value === value ? former : { id, type, label, value, at, by }];
  });
  const shown = filterAsked(questions, isKnown);
  const isReplaced = (old: Answer): boolean =>
    now.some(({ id }) => id === old.id) ||
    questions.some(
      (question) => answers(question)(old) && (values.has(question.id) || shown.includes(question)),
    );
  const former = before.filter((old) => !isReplaced(old)).slice(-mostFormer);
  return { answers: [...former, ...now] };
};
