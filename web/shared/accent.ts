import { effect, signal } from '@preact/signals';
import { accentTokens } from './accent-tokens.ts';
import { theme } from './preferences.ts';

const names = ['--primary', '--on-primary', '--tint', '--on-tint'];

/** The clinic's colour, `#rrggbb`; null for the one that the tokens have. */
export const accent = signal<string | null>(null);

const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
const isSystemDark = signal(systemIsDark.matches);
systemIsDark.addEventListener('change', ({ matches }) => (isSystemDark.value = matches));

effect(() => {
  const isDark = theme.value === 'dark' || (theme.value === 'system' && isSystemDark.value);
  const tokens = accent.value === null ? {} : accentTokens(accent.value, isDark);
  for (const name of names) {
    const value = (tokens as Record<string, string>)[name];
    if (value === undefined) document.documentElement.style.removeProperty(name);
    else document.documentElement.style.setProperty(name, value);
  }
});
