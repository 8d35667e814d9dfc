import { hmac, importHmacKey } from '#hmac';

/** Separates a clinic's keys from those of every other clinic that uses the same secrets. */
export interface ClinicIdentity {
  clinicId: string;
  /** Whether keys from before clinics had an id still open: tokens, and secrets that were sealed. */
  hasLegacyKeys: boolean;
  /** Until when, in milliseconds since 1970: a process may run for longer than they are good. */
  legacyKeysUntil?: number | null;
  /** Whether the database was made before there was a DATA_KEY, and not rekeyed since: JWT_SECRET still opens. */
  sealedByJwt?: boolean;
}

export interface ServerSecrets {
  /** JWT_SECRET, which signs. */
  secret: string;
  previousSecret?: string | undefined;
  /** DATA_KEY, from which all keys for data in the database are derived. */
  dataKey: string;
  previousDataKey?: string | undefined;
}

/** The secrets of a server with those before them, as its settings name these. */
export const serverSecrets = (
  settings: {
    JWT_SECRET_PREVIOUS?: string | undefined;
    DATA_KEY_PREVIOUS?: string | undefined;
  },
  { secret, dataKey }: Pick<ServerSecrets, 'secret' | 'dataKey'>,
): ServerSecrets => ({
  secret,
  previousSecret: settings.JWT_SECRET_PREVIOUS,
  dataKey,
  previousDataKey: settings.DATA_KEY_PREVIOUS,
});

/** A secret that belongs to one clinic, and the audience of the tokens that are signed with it. */
interface ClinicSecret {
  text: string;
  audience: string;
  /** When its tokens end, even if their exp is later; without it only their exp counts. */
  endsAt?: number;
}

/** The secrets from which every key of a clinic is derived: the first of each signs and seals, all of them verify and open. */
export interface ClinicKeys extends ClinicIdentity {
  /** Sign and verify tokens. */
  secrets: readonly ClinicSecret[];
  /** Seal and hash stored data. */
  dataSecrets: readonly string[];
}

const legacySecret = (text: string, endsAt: number | null): ClinicSecret => ({
  text,
  audience: 'janji',
  ...(endsAt !== null && { endsAt }),
});

const boundText = async (purpose: string, clinicId: string, secret: string): Promise<string> =>
  hmac(await importHmacKey(new TextEncoder().encode(secret)), `${purpose}\n${clinicId}`);

const boundSecret = async (clinicId: string, secret: string): Promise<ClinicSecret> => ({
  text: await boundText('janji clinic', clinicId, secret),
  audience: `janji:${clinicId}`,
});

const both = (current: string, previous: string | undefined): string[] =>
  previous === undefined ? [current] : [current, previous];

/**
 * Derives a clinic's own keys from the server's secrets, so that a copy of its database under another clinic id opens
 * nothing. Data that was signed or sealed before clinics had ids is opened by the secrets as they were used then.
 */
export const clinicKeys = async (
  { clinicId, hasLegacyKeys, legacyKeysUntil = null, sealedByJwt = false }: ClinicIdentity,
  { secret, previousSecret, dataKey, previousDataKey }: ServerSecrets,
): Promise<ClinicKeys> => {
  const given = both(secret, previousSecret);
  const bound = await Promise.all(given.map((each) => boundSecret(clinicId, each)));
  const secrets = hasLegacyKeys
    ? [...bound, ...given.map((each) => legacySecret(each, legacyKeysUntil))]
    : bound;
  const data = await Promise.all(
    both(dataKey, previousDataKey).map((each) => boundText('janji clinic data', clinicId, each)),
  );
  const dataSecrets = sealedByJwt ? [...data, ...secrets.map(({ text }) => text)] : data;
  return { clinicId, hasLegacyKeys, sealedByJwt, secrets, dataSecrets };
};
