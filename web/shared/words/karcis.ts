import { createWords } from '../words.ts';
import id from './karcis/id.ts';

/** The words on every slip. */
export const words = createWords(id, () => import('./karcis/en.ts'));
