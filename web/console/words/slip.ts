import { createWords } from '../../shared/words.ts';
import id from './slip/id.ts';

/** The words of the slip's settings and of its test page; those on every slip are in the console's. */
export const slipWords = createWords(id, () => import('./slip/en.ts'));
