import { createWords } from '../words.ts';
import id from './factors/id.ts';

/** The words of second factors, loaded with them. */
export const words = createWords(id, () => import('./factors/en.ts'));
