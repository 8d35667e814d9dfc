import { deriveEach } from '../crypto/key-derivation.ts';
import type { Deps } from '../deps.ts';

const macChars = 32;

const deriveMacs = async ({ tokenKeys }: Deps, personId: string): Promise<string[]> =>
  (await deriveEach(tokenKeys, 'notice-stop', personId)).map((mac) => mac.slice(0, macChars));

/** What stands in the link of a letter: it stops this person's e-mails, and opens nothing. */
export const deriveStopToken = async (deps: Deps, personId: string): Promise<string> =>
  `${personId.replaceAll('-', '')}${(await deriveMacs(deps, personId))[0]}`;

const tokenForm = new RegExp(
  `^([\\da-f]{8})([\\da-f]{4})([\\da-f]{4})([\\da-f]{4})([\\da-f]{12})([\\w-]{${macChars}})$`,
);

/** Whose e-mails a token stops; null for one that we never made. */
export const personOfStopToken = async (deps: Deps, token: string): Promise<string | null> => {
  const [, a, b, c, d, e, mac] = tokenForm.exec(token) ?? [];
  if (mac === undefined) return null;
  const personId = [a, b, c, d, e].join('-');
  return (await deriveMacs(deps, personId)).includes(mac) ? personId : null;
};
