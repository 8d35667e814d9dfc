import { toIso } from '../../../core/endpoint/instants.ts';
import { answersIn } from './answer-rules.ts';
import type { BookingRow } from './queries.ts';

/** What was answered before a visit, with the wording that it was given to. */
export const answersView = ({ answers }: Pick<BookingRow, 'answers'>) =>
  answersIn(answers).map(({ at, ...answer }) => ({ ...answer, answered_at: toIso(at) }));
