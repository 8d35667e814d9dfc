import { createWords } from '../../shared/words.ts';
import id from './mulai/id.ts';

/** The texts of the first run and of the set-up list, loaded with them. */
export const beginning = createWords(id, () => import('./mulai/en.ts'));
