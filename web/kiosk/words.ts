import { createWords } from '../shared/words.ts';
import id from './words/id.ts';

export const words = createWords(id, () => import('./words/en.ts'));
