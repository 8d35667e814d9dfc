import { derive, deriveEach } from '../crypto/key-derivation.ts';
import { sameText } from '../crypto/same-text.ts';
import type { TokenKeys } from '../crypto/token-keys.ts';
import { invalidCursor } from './cursor.ts';

type Keys = Pick<TokenKeys, 'derivation'>;

/** 96 bits: a cursor gives no rights, and each try of another one is a request. */
const signatureLength = 16;

const signedText = (list: string, cursor: string): string => `${list}\n${cursor}`;

/** A cursor with the clinic's signature before it, for one list. */
export const signCursor = async (keys: Keys, list: string, cursor: string): Promise<string> =>
  (await derive(keys, 'cursor', signedText(list, cursor))).slice(0, signatureLength) + cursor;

/** A cursor as its list made it; throws `invalid_query` unless this clinic signed it for this list. */
export const openCursor = async (keys: Keys, list: string, signed: string): Promise<string> => {
  const cursor = bareCursor(signed);
  const expected = await deriveEach(keys, 'cursor', signedText(list, cursor));
  const given = signed.slice(0, signatureLength);
  if (expected.some((one) => sameText(one.slice(0, signatureLength), given))) return cursor;
  throw invalidCursor();
};

/** The same unproved, for a read whose answer waits for the proof. */
export const bareCursor = (signed: string): string => signed.slice(signatureLength);
