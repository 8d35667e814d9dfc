import { createWords } from '../words.ts';
import id from './tanggal/id.ts';

/** The words of fields for dates and hours, loaded with them. */
export const words = createWords(id, () => import('./tanggal/en.ts'));
