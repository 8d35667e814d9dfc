import type { Language } from '../../endpoint/messages.ts';
import { greetedName } from './rules.ts';

/** What a letter is made from. */
export interface LetterFields {
  name: string;
  /** What its reader needs: a link, or the code itself. */
  key: string;
  isLink: boolean;
  /** A link beside a code, where there is one. */
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
