import { createWords } from '../../shared/words.ts';
import id from './questions/id.ts';

/** The words of the questions before a visit, loaded with them. */
export const words = createWords(id, () => import('./questions/en.ts'));
