import { createWords } from '../../shared/words.ts';
import id from './atur/id.ts';

/** The words of what admins set up, loaded with it. */
export const setup = createWords(id, () => import('./atur/en.ts'));
