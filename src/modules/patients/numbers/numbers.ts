import { derive, deriveEach } from '../../../core/crypto/key-derivation.ts';
import type { Deps } from '../../../core/deps.ts';

export type Sealing = Pick<Deps, 'db' | 'log' | 'secretBox' | 'tokenKeys'>;

/** A sealed number, and the keyed hash by which its record is found. */
interface Sealed {
  sealed: string | null;
  hash: string | null;
}

const none: Sealed = { sealed: null, hash: null };

/** The stored form of a national or insurance number: it cannot be read without the clinic's keys. */
export const sealNumber = async (
  deps: Pick<Deps, 'secretBox' | 'tokenKeys'>,
  kind: NumberKind,
  number: string | null,
): Promise<Sealed> => {
  if (number === null) return none;
  const hash = await derive(deps.tokenKeys, 'patient-number', `${kind} ${number}`);
  return { sealed: await deps.secretBox.seal(number), hash };
};

export type NumberKind = 'national_id' | 'insurance_number';

/** The hashes under which a number may be stored, one for each key in force. */
export const deriveHashes = (
  deps: Pick<Deps, 'tokenKeys'>,
  kind: NumberKind,
  number: string,
): Promise<string[]> => deriveEach(deps.tokenKeys, 'patient-number', `${kind} ${number}`);

/** The sealed number; null if there is none, or if no present key opens it. */
export const openNumber = async (
  { secretBox }: Pick<Deps, 'secretBox'>,
  sealed: string | null,
): Promise<string | null> => (sealed === null ? null : secretBox.open(sealed));
