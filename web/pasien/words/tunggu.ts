import { createWords } from '../../shared/words.ts';
import id from './tunggu/id.ts';

/** The words of the waitlist, loaded with it. */
export const words = createWords(id, () => import('./tunggu/en.ts'));
