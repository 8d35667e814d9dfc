import { createWords } from '../../shared/words.ts';
import id from './waitlist/id.ts';

/** The words of the waitlist, loaded with it. */
export const words = createWords(id, () => import('./waitlist/en.ts'));
