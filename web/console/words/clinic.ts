import { createWords } from '../../shared/words.ts';
import id from './clinic/id.ts';

/** The words of the clinic's settings and of its API keys, loaded with them. */
export const own = createWords(id, () => import('./clinic/en.ts'));
