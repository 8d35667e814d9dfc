import { deriveEach } from '../../core/crypto/key-derivation.ts';
import type { Deps } from '../../core/deps.ts';

const macChars = 32;

const deriveMacs = async ({ tokenKeys }: Deps, personId: string): Promise<string[]> =>
  (await deriveEach(tokenKeys, 'notice-stop', personId)).map((mac) => mac.slice(0, macChars));

/** The token in a mail's link: it unsubscribes this person from e-mails, and gives no other right. */
export const deriveStopToken = async (deps: Deps, personId: string): Promise<string> =>
  `${personId.replaceAll('-', '')}${(await deriveMacs(deps, personId))[0]}`;

const tokenForm = new RegExp(
  `^([\\da-f]{8})([\\da-f]{4})([\\da-f]{4})([\\da-f]{4})([\\da-f]{12})([\\w-]{${macChars}})$`,
);

/** The person whose e-mails a token stops; null for a token that this service did not make. */
export const personOfStopToken = async (deps: Deps, token: string): Promise<string | null> => {
  const [, a, b, c, d, e, mac] = tokenForm.exec(token) ?? [];
  if (mac === undefined) return null;
  const personId = [a, b, c, d, e].join('-');
  return (await deriveMacs(deps, personId)).includes(mac) ? personId : null;
};
