import { createWords } from '../../shared/words.ts';
import id from './peristiwa/id.ts';

/** What each kind of security event is called. */
export const kindNames = createWords(id, () => import('./peristiwa/en.ts'));
