import { createWords } from '../../shared/words.ts';
import id from './peristiwa/id.ts';

/** The name of each kind of security event. */
export const kindNames = createWords(id, () => import('./peristiwa/en.ts'));
