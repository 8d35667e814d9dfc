import { createWords } from '../../shared/words.ts';
import id from './desk/id.ts';

/** The words of the desk's further pages, loaded with them. */
export const desk = createWords(id, () => import('./desk/en.ts'));
