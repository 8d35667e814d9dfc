import { wordsOf } from '../words.ts';
import id from './tanggal/id.ts';

/** The words of fields for dates and hours, loaded with them. */
export const words = wordsOf(id, () => import('./tanggal/en.ts'));
