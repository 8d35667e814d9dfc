/** The parameters of every new hash: OWASP's first choice for Argon2id. `m` in KiB, lengths in bytes. */
export const OWN = { m: 19_456, t: 2, p: 1, saltBytes: 16, hashBytes: 32 } as const;

type Phc = { m: number; t: number; p: number; saltBytes: number; hashBytes: number };

const SHAPE = /^\$argon2id\$v=19\$m=([1-9]\d{0,9}),t=([1-9]\d{0,9}),p=([1-9]\d{0,7})\$([^$]+)\$([^$]+)$/;

/**
 * Parses an Argon2id PHC string (version 19, unpadded canonical base64). Null if it is malformed or costs more than
 * our own parameters. Limits: RFC 9106 section 3.1 and the PHC string format.
 */
export function parsePhc(text: string): Phc | null {
  const [, m, t, p, salt, hash] = SHAPE.exec(text) ?? [];
  if (salt === undefined || hash === undefined) return null;
  const phc = {
    m: Number(m),
    t: Number(t),
    p: Number(p),
    saltBytes: decodedBytes(salt),
    hashBytes: decodedBytes(hash),
  };
  // Wasm memory never shrinks: the memory of one expensive hash would never be released.
  const affordable = phc.m <= OWN.m && phc.t <= OWN.t && phc.p <= OWN.p;
  const possible = phc.m >= 8 * phc.p && within(phc.saltBytes, 8, 48) && within(phc.hashBytes, 16, 64);
  return affordable && possible ? phc : null;
}

/** Whether a stored hash is weaker than our own parameters, so that the next login replaces it. */
export function needsRehash(text: string): boolean {
  const phc = parsePhc(text);
  if (phc === null) return false;
  return phc.m < OWN.m || phc.t < OWN.t || phc.saltBytes < OWN.saltBytes || phc.hashBytes < OWN.hashBytes;
}

const randomBase64 = (bytes: number): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(bytes)))).replaceAll('=', '');

/** A random hash with our own parameters that no known password matches; different for each account. */
export const unusableHash = (): string => {
  const { m, t, p, saltBytes, hashBytes } = OWN;
  return `$argon2id$v=19$m=${m},t=${t},p=${p}$${randomBase64(saltBytes)}$${randomBase64(hashBytes)}`;
};

/** The byte length of unpadded canonical base64, or -1. `atob` would accept spaces and non-zero trailing bits. */
function decodedBytes(base64: string): number {
  const canonical = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048])?$/;
  return canonical.test(base64) ? Math.floor((base64.length * 3) / 4) : -1;
}

const within = (value: number, min: number, max: number) => value >= min && value <= max;
