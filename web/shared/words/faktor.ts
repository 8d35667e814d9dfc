import { wordsOf } from '../words.ts';
import id from './faktor/id.ts';

/** The words of second factors, loaded with them. */
export const words = wordsOf(id, () => import('./faktor/en.ts'));
