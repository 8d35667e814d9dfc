import { hmac, importHmacKey } from '#hmac';

/** What tells a clinic's keys from those of every other clinic that has the same JWT_SECRET. */
export interface ClinicIdentity {
  clinicId: string;
  /** Whether keys from before clinics had an id still open: tokens, and secrets that were sealed. */
  hasLegacyKeys: boolean;
  /** Until when, in milliseconds since 1970: a process may run for longer than they are good. */
  legacyKeysUntil?: number | null;
}

/** A secret that belongs to one clinic, and the audience of the tokens that are signed with it. */
export interface ClinicSecret {
  text: string;
  audience: string;
  /** When its tokens end, whatever their exp says; without it by their exp alone. */
  endsAt?: number;
}

/** From what every key of a clinic is derived: the first secret makes, each opens. */
export interface ClinicKeys extends ClinicIdentity {
  secrets: readonly ClinicSecret[];
}

const legacySecret = (text: string, endsAt: number | null): ClinicSecret => ({
  text,
  audience: 'janji',
  ...(endsAt !== null && { endsAt }),
});

const boundSecret = async (clinicId: string, secret: string): Promise<ClinicSecret> => {
  const parent = await importHmacKey(new TextEncoder().encode(secret));
  return { text: await hmac(parent, `janji clinic\n${clinicId}`), audience: `janji:${clinicId}` };
};

/**
 * Binds the server's secrets to one clinic, so that a copy of its database under another id opens nothing of it. What
 * a database made before has signed and sealed is opened by the secrets as they are.
 */
export const clinicKeys = async (
  { clinicId, hasLegacyKeys, legacyKeysUntil = null }: ClinicIdentity,
  secret: string,
  previous?: string,
): Promise<ClinicKeys> => {
  const given = previous === undefined ? [secret] : [secret, previous];
  const bound = await Promise.all(given.map((each) => boundSecret(clinicId, each)));
  const secrets = hasLegacyKeys
    ? [...bound, ...given.map((each) => legacySecret(each, legacyKeysUntil))]
    : bound;
  return { clinicId, hasLegacyKeys, secrets };
};
