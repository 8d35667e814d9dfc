import { createWords } from '../../shared/words.ts';
import id from './arrive/id.ts';

/** The words of checking in by the poster, loaded with it. */
export const arriveWords = createWords(id, () => import('./arrive/en.ts'));
