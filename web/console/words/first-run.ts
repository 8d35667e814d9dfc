import { createWords } from '../../shared/words.ts';
import id from './first-run/id.ts';

/** The texts of the first run and of the set-up list, loaded with them. */
export const beginning = createWords(id, () => import('./first-run/en.ts'));
