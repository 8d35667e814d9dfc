import { wordsOf } from '../shared/words.ts';
import id from './words/id.ts';

export const words = wordsOf(id, () => import('./words/en.ts'));
