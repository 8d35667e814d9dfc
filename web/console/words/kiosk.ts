import { createWords } from '../../shared/words.ts';
import id from './kiosk/id.ts';

/** The words of tablets and of the poster for checking in, loaded with their page. */
export const kioskWords = createWords(id, () => import('./kiosk/en.ts'));
