import { createWords } from '../../shared/words.ts';
import id from './events/id.ts';

/** The name of each kind of security event. */
export const kindNames = createWords(id, () => import('./events/en.ts'));
