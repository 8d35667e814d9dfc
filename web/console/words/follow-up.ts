import { createWords } from '../../shared/words.ts';
import id from './follow-up/id.ts';

/** The words of follow-ups, series and the waitlist, loaded with them. */
export const further = createWords(id, () => import('./follow-up/en.ts'));
