import type { Language } from '../../../core/endpoint/messages.ts';
import { greetedName } from './rules.ts';

interface LetterFields {
  name: string;
  /** The link or the code that the reader needs. */
  key: string;
  isLink: boolean;
  /** A link in addition to a code, if there is one. */
  link?: string | null;
}

interface Letter {
  subject: string;
  text: string;
}

export type Letters = Readonly<Record<Language, (fields: LetterFields) => Letter>>;

export const yth = (name: string): string => `Yth. ${greetedName(name) ?? 'Bapak/Ibu'},`;

export const dear = (name: string): string => {
  const greeted = greetedName(name);
  return greeted === null ? 'Hello,' : `Dear ${greeted},`;
};
