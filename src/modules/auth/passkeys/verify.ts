import { decodeCBORToNativeValueNoLeftoverBytes } from '@oslojs/cbor';
import { ClientDataType, parseAuthenticatorData, parseClientDataJSON } from '@oslojs/webauthn';
import { fromBase64Url, toBase64Url } from '../../../core/crypto/base64url.ts';
import type { OutputOf } from '../../../core/endpoint/lazy-shape.ts';
import { importKey, isSigned, toJwk } from './keys.ts';
import type { Assertion, NewPasskey } from './shapes.ts';

/** The relying party: its domain and origins, and the challenge it sent, in base64url. */
interface Expected {
  domain: string;
  origins: readonly string[];
  challenge: string;
}

/** The answer is from one of our pages, and for this challenge. */
const isOurPage = (bytes: Uint8Array, type: ClientDataType, { challenge, origins }: Expected): boolean => {
  const seen = parseClientDataJSON(bytes);
  return (
    seen.type === type &&
    toBase64Url(Uint8Array.from(seen.challenge)) === challenge &&
    origins.includes(seen.origin) &&
    seen.crossOrigin !== true
  );
};

// Bits of the flags that the library does not return: whether the passkey can be copied, and whether it was.
const mayBeCopied = 0x08;
const wasCopied = 0x10;

const hashBytes = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

/** The authenticator data begins with the hash of the domain that it is for. */
const isAbout = async (bytes: Uint8Array, domain: string): Promise<boolean> =>
  toBase64Url(await hashBytes(new TextEncoder().encode(domain))) ===
  toBase64Url(Uint8Array.from(bytes.subarray(0, 32)));

/**
 * Returns the authenticator data if it is for our domain and the device verified the user by PIN, finger or face; else
 * null.
 */
const deviceSays = async (bytes: Uint8Array, { domain }: Expected) => {
  const says = parseAuthenticatorData(bytes);
  const flags = bytes[32] ?? 0;
  const isSound = (flags & mayBeCopied) !== 0 || (flags & wasCopied) === 0;
  const isOurs = await isAbout(bytes, domain);
  return isOurs && says.userPresent && says.userVerified && isSound ? says : null;
};

/** Data that cannot be parsed proves nothing. */
const orNull = async <T>(check: () => Promise<T | null>): Promise<T | null> => {
  try {
    return await check();
  } catch {
    return null;
  }
};

/** A new passkey's id, key and count (WebAuthn 7.1, without the attestation); null if it is not valid. */
export const readNewPasskey = ({ id, response }: OutputOf<typeof NewPasskey>, expected: Expected) =>
  orNull(async () => {
    if (!isOurPage(fromBase64Url(response.clientDataJSON), ClientDataType.Create, expected)) return null;
    const attestation = decodeCBORToNativeValueNoLeftoverBytes(fromBase64Url(response.attestationObject), 8);
    const { authData } = attestation as { authData: Uint8Array };
    const says = await deviceSays(authData, expected);
    const credentialId = says?.credential == null ? '' : toBase64Url(Uint8Array.from(says.credential.id));
    if (says?.credential == null || credentialId !== id || says.credential.id.length > 1023) return null;
    const jwk = toJwk(says.credential.publicKey);
    await importKey(jwk);
    return {
      credentialId,
      publicKey: JSON.stringify(jwk),
      transports: JSON.stringify(response.transports ?? []),
      counter: says.signatureCounter,
    };
  });

/** How often the passkey says it was used (WebAuthn 7.2); null unless its key signed this challenge. */
export const verifyAssertion = (
  { response }: OutputOf<typeof Assertion>,
  publicKey: string,
  expected: Expected,
): Promise<number | null> =>
  orNull(async () => {
    const clientData = fromBase64Url(response.clientDataJSON);
    if (!isOurPage(clientData, ClientDataType.Get, expected)) return null;
    const authData = fromBase64Url(response.authenticatorData);
    const says = await deviceSays(authData, expected);
    if (says === null) return null;
    const hash = await hashBytes(clientData);
    const signed = new Uint8Array(authData.length + hash.length);
    signed.set(authData);
    signed.set(hash, authData.length);
    const holds = await isSigned(JSON.parse(publicKey), fromBase64Url(response.signature), signed);
    return holds ? says.signatureCounter : null;
  });
