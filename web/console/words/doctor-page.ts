import { createWords } from '../../shared/words.ts';
import id from './doctor-page/id.ts';

/** The words of a doctor's page, loaded with it. */
export const pageWords = createWords(id, () => import('./doctor-page/en.ts'));
