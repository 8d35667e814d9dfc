import { batch, type ReadonlySignal, signal } from '@preact/signals';
import { type Language, language, noteLanguage } from './preferences.ts';
import shared from './words/id.ts';

/** Loads a program's texts; what it returns shows them. */
type Load = (chosen: Language) => Promise<() => void>;
const loads: Load[] = [];
let coming: Promise<unknown> = Promise.resolve();

/** Until the texts of all that is loaded have come: a part is not shown in Indonesian first, and then in English. */
export const untilWords = (): Promise<unknown> => coming;

/**
 * A program's texts, by language: Indonesian is in the bundle, English is loaded when chosen. A component that reads
 * `.value` follows the choice.
 */
export const createWords = <W extends object>(
  id: W,
  loadEn: () => Promise<{ default: W }>,
): ReadonlySignal<W> => {
  const words = signal<W>(id);
  const load: Load = async (chosen) => {
    const texts = chosen === 'en' ? (await loadEn()).default : id;
    return () => {
      words.value = texts;
    };
  };
  loads.push(load);
  if (language.peek() === 'en')
    coming = Promise.all([
      coming,
      load('en').then(
        (show) => show(),
        () => noteLanguage('id'),
      ),
    ]);
  return words;
};

/** Changes the language at once, everywhere; keeps the present one if the texts cannot be loaded. */
export const switchLanguage = async (chosen: Language): Promise<void> => {
  const shows: (() => void)[] = [];
  // A part of the page may come meanwhile.
  while (shows.length < loads.length)
    shows.push(...(await Promise.all(loads.slice(shows.length).map((load) => load(chosen)))));
  batch(() => {
    for (const show of shows) show();
    noteLanguage(chosen);
  });
};

/** The words that all programs share. */
export const common = createWords(shared, () => import('./words/en.ts'));
