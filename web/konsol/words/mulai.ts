import { createWords } from '../../shared/words.ts';
import id from './mulai/id.ts';

/** The words of the first run and of what is not ready, loaded with them. */
export const beginning = createWords(id, () => import('./mulai/en.ts'));
