import { createWords } from '../../shared/words.ts';
import id from './import/id.ts';

/** The words of importing patients, loaded with it. */
export const importing = createWords(id, () => import('./import/en.ts'));
