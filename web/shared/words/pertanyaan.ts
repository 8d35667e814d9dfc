import { createWords } from '../words.ts';
import id from './pertanyaan/id.ts';

/** The words of the fields for the questions before a visit. */
export const words = createWords(id, () => import('./pertanyaan/en.ts'));
