import { wordsOf } from '../../shared/words.ts';
import id from './atur/id.ts';

/** The words of what admins set up, loaded with it. */
export const setup = wordsOf(id, () => import('./atur/en.ts'));
