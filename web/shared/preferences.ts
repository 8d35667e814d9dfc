import { signal } from '@preact/signals';

export type Language = 'id' | 'en';
export type Theme = 'system' | 'light' | 'dark';

const languages: readonly Language[] = ['id', 'en'];
const themes: readonly Theme[] = ['system', 'light', 'dark'];

// The only module that stores anything in the browser. A browser may refuse.
export const kept = (name: string): string | null => {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
};
export const keep = (name: string, value: string | null): void => {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
  } catch {}
};

const pickKnown = <T extends string>(values: readonly T[], value: string | null, fallback: T): T =>
  values.find((known) => known === value) ?? fallback;

export const language = signal<Language>(pickKnown(languages, kept('bahasa'), 'id'));
export const theme = signal<Theme>(pickKnown(themes, kept('tema'), 'system'));

const show = (): void => {
  const { dataset } = document.documentElement;
  if (theme.value === 'system') delete dataset.theme;
  else dataset.theme = theme.value;
};

export const setTheme = (chosen: Theme): void => {
  theme.value = chosen;
  keep('tema', chosen);
  show();
};

/** Called by `switchLanguage` of words.ts once the words are there. */
export const noteLanguage = (chosen: Language): void => {
  language.value = chosen;
  keep('bahasa', chosen);
  document.documentElement.lang = chosen;
};

show();
document.documentElement.lang = language.value;
