import { createWords } from '../../shared/words.ts';
import id from './calendar/id.ts';

/** The words of the calendar, loaded with it. */
export const calendarWords = createWords(id, () => import('./calendar/en.ts'));
