import { effect, signal } from '@preact/signals';
import { accentTokens } from './accent-tokens.ts';
import { theme } from './preferences.ts';

const names = ['--primary', '--on-primary', '--tint', '--on-tint'];

/** The clinic's colour, `#rrggbb`; null for the one that the tokens have. */
export const accent = signal<string | null>(null);

const holds = (query: string) => {
  const list = matchMedia(query);
  const is = signal(list.matches);
  list.addEventListener('change', ({ matches }) => (is.value = matches));
  return is;
};
const isSystemDark = holds('(prefers-color-scheme: dark)');
const isOnPaper = holds('print');

effect(() => {
  const isChosenDark = theme.value === 'dark' || (theme.value === 'system' && isSystemDark.value);
  const isDark = isChosenDark && !isOnPaper.value;
  const tokens = accent.value === null ? {} : accentTokens(accent.value, isDark);
  for (const name of names) {
    const value = (tokens as Record<string, string>)[name];
    if (value === undefined) document.documentElement.style.removeProperty(name);
    else document.documentElement.style.setProperty(name, value);
  }
});
