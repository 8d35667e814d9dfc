/** COSE's numbers of ES256, EdDSA and RS256, in the order in which devices are asked for them. */
export const es256 = -7;
export const edDsa = -8;
export const rs256 = -257;
const algorithms = [es256, edDsa, rs256] as const;

/** How many passkeys an account may have. */
export const maxPasskeys = 10;

/** The id and public data of an account's passkey. */
export interface Passkey {
  credentialId: string | null;
  transports: string | null;
}

interface Ceremony {
  domain: string;
  /** In base64url. */
  challenge: string;
  timeoutMs: number;
  passkeys: readonly Passkey[];
}

const toDescriptor = ({ credentialId, transports }: Passkey) => ({
  type: 'public-key' as const,
  id: credentialId ?? '',
  transports: JSON.parse(transports ?? '[]') as string[],
});

/** The options a browser needs to create a passkey; `userId` is the account's id in base64url. */
export const creationOptions = (
  { domain, challenge, timeoutMs, passkeys }: Ceremony,
  user: { userId: string; email: string | null; name: string },
) => ({
  rp: { id: domain, name: 'Janji' },
  user: { id: user.userId, name: user.email ?? user.name, displayName: user.name },
  challenge,
  pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
  timeout: timeoutMs,
  attestation: 'none' as const,
  excludeCredentials: passkeys.map(toDescriptor),
  authenticatorSelection: { residentKey: 'preferred' as const, userVerification: 'required' as const },
});

/** The options a browser needs to use one of these passkeys. */
export const requestOptions = ({ domain, challenge, timeoutMs, passkeys }: Ceremony) => ({
  challenge,
  timeout: timeoutMs,
  rpId: domain,
  allowCredentials: passkeys.map(toDescriptor),
  userVerification: 'required' as const,
});
