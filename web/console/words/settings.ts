import { createWords } from '../../shared/words.ts';
import id from './settings/id.ts';

/** The words of what admins set up, loaded with it. */
export const setup = createWords(id, () => import('./settings/en.ts'));
