import { createWords } from '../words.ts';
import id from './faktor/id.ts';

/** The words of second factors, loaded with them. */
export const words = createWords(id, () => import('./faktor/en.ts'));
