import type { Deps } from '../../core/deps.ts';
import { Failure } from '../../core/endpoint/errors.ts';
import type { FieldIssue, FieldProblem } from '../../core/endpoint/field-sentences.ts';
import { type PasswordProblem, passwordProblem } from './passwords/policy.ts';

const problems = (minLength: number): Record<PasswordProblem, FieldProblem> => ({
  too_short: { rule: 'too_short', limit: minLength },
  too_long: { rule: 'too_long', limit: 128 },
  malformed: { rule: 'characters' },
  common: { rule: 'password_common' },
  same_as_email: { rule: 'password_personal' },
  same_as_name: { rule: 'password_personal' },
});

interface Input {
  password: string;
  password_confirmation: string;
}

/** Throws unless the password is good enough for this person's account; no error message repeats it. */
export const assertGoodPassword = async (
  deps: Deps,
  input: Input,
  person: { email: string | null; name: string },
): Promise<void> => {
  const minLength = deps.config.PASSWORD_MIN_LENGTH;
  const problem = passwordProblem(input.password, {
    minLength,
    ...person,
    email: person.email ?? '',
    isCommon: await deps.commonPasswords(),
  });
  const issues: FieldIssue[] = [];
  if (problem !== null) issues.push({ path: 'password', ...problems(minLength)[problem] });
  if (input.password !== input.password_confirmation)
    issues.push({ path: 'password_confirmation', rule: 'password_mismatch' });
  if (issues.length > 0) throw new Failure('validation_failed', { issues });
};
