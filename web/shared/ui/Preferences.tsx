import { type Language, language, setTheme, type Theme, theme } from '../preferences.ts';
import { common, switchLanguage } from '../words.ts';
import { Select } from './Field.tsx';

const languages: readonly [Language, string][] = [
  ['id', 'Bahasa Indonesia'],
  ['en', 'English'],
];
const themes: readonly Theme[] = ['system', 'light', 'dark'];

/** The choice of language and of appearance, stored on this device. */
export const Preferences = () => {
  const words = common.value;
  return (
    <>
      <Select
        label={words.language}
        value={language.value}
        onChange={(event) => void switchLanguage(event.currentTarget.value as Language).catch(() => {})}
      >
        {languages.map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </Select>
      <Select
        label={words.theme}
        value={theme.value}
        onChange={(event) => setTheme(event.currentTarget.value as Theme)}
      >
        {themes.map((name) => (
          <option key={name} value={name}>
            {words.themes[name]}
          </option>
        ))}
      </Select>
    </>
  );
};
