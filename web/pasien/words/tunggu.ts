import { wordsOf } from '../../shared/words.ts';
import id from './tunggu/id.ts';

/** The words of the waitlist, loaded with it. */
export const words = wordsOf(id, () => import('./tunggu/en.ts'));
