import { described, freeText } from '../../core/endpoint/fields.ts';

/** A code as a person types it. */
export const typedCode = (meaning: string, example: string) => described(freeText(100), meaning, { example });

/** One that was sent, by what it came with. */
export const sentCode = (from: string, example = '123 456') =>
  typedCode(`${from}; spaces and hyphens in it do not matter.`, example);

/** One of eight digits, which proves an e-mail. */
export const emailCode = () => sentCode('From the mail', '1234 5678');
