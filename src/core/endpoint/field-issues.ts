import type * as z from 'zod/mini';
import type { FieldIssue, FieldProblem, FieldRule, LimitingRule } from './field-sentences.ts';

type Issue = z.core.$ZodIssue;

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], input);

const formats: Readonly<Record<string, Exclude<FieldRule, LimitingRule>>> = {
  email: 'email',
  guid: 'uuid',
  date: 'date',
  time: 'time',
  url: 'url',
};

const sized = (origin: string, text: LimitingRule, list: LimitingRule, number: LimitingRule): LimitingRule =>
  origin === 'string' ? text : origin === 'array' ? list : number;

const toFieldProblem = (issue: Issue, input: unknown): FieldProblem => {
  switch (issue.code) {
    case 'invalid_type':
      return { rule: valueAt(input, issue.path) === undefined ? 'required' : 'wrong_type' };
    case 'too_small':
      return { rule: sized(issue.origin, 'too_short', 'too_few', 'too_small'), limit: Number(issue.minimum) };
    case 'too_big':
      return { rule: sized(issue.origin, 'too_long', 'too_many', 'too_big'), limit: Number(issue.maximum) };
    case 'invalid_format':
      return { rule: formats[issue.format] ?? 'invalid' };
    case 'invalid_value':
      return valueAt(input, issue.path) === undefined
        ? { rule: 'required' }
        : { rule: 'not_allowed', limit: issue.values.join(', ') };
    case 'custom':
      return (issue.params as FieldProblem | undefined) ?? { rule: 'invalid' };
    default:
      return { rule: 'invalid' };
  }
};

const letters = (name: string): string => name.replaceAll(/[^a-zA-Z0-9]/g, '').toLowerCase();

/** The given names that equal a missing field except for case and separators: `scheduleDate`. */
const misnamed = (path: readonly PropertyKey[], input: unknown): FieldIssue[] => {
  const wanted = String(path.at(-1) ?? '');
  const beside = valueAt(input, path.slice(0, -1));
  if (wanted === '' || typeof beside !== 'object' || beside === null) return [];
  const before = path.slice(0, -1).map(String);
  return Object.keys(beside)
    .filter((name) => name !== wanted && letters(name) === letters(wanted))
    .map((name) => ({ path: [...before, name].join('.'), rule: 'misnamed', limit: wanted }));
};

/** The catalogue's rule for each fault that zod found in `input`; zod's own sentences are never shown. */
export const fieldIssues = (issues: readonly Issue[], input: unknown): FieldIssue[] =>
  issues.flatMap((issue): FieldIssue[] => {
    if (issue.code === 'unrecognized_keys') return issue.keys.map((path) => ({ path, rule: 'unknown' }));
    const problem = toFieldProblem(issue, input);
    const found = { path: issue.path.map(String).join('.') || 'body', ...problem };
    return problem.rule === 'required' ? [found, ...misnamed(issue.path, input)] : [found];
  });
