import { wordsOf } from '../../shared/words.ts';
import id from './impor/id.ts';

/** The words of importing patients, loaded with it. */
export const importing = wordsOf(id, () => import('./impor/en.ts'));
