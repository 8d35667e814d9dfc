import type { Schemas } from '../../../client/index.ts';

// The platform's own WebAuthn. Its JSON helpers are younger than the browsers that we promise, so its bytes are read
// and written here.

type PasskeyRequest = Schemas['PasskeyRequestOptions'];

/** Why no passkey came: its owner did not go on, or the device has one of this account already. */
export class PasskeyFailed extends Error {
  readonly reason: 'canceled' | 'known' | 'failed';

  constructor(cause: unknown) {
    super('No passkey.', { cause });
    const name = cause instanceof DOMException ? cause.name : '';
    this.reason = name === 'InvalidStateError' ? 'known' : name === 'NotAllowedError' ? 'canceled' : 'failed';
  }
}

/** Passkeys belong to a domain: an address has none, nor has a page without https. */
export const knowsPasskeys = (): boolean =>
  globalThis.isSecureContext &&
  'PublicKeyCredential' in globalThis &&
  !/^[\d.]+$|^\[/.test(location.hostname);

const toBytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));

const toText = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const described = (known: readonly Schemas['PasskeyDescriptor'][]): PublicKeyCredentialDescriptor[] =>
  known.map(({ type, id, transports }) => ({
    type,
    id: toBytes(id),
    transports: transports as AuthenticatorTransport[],
  }));

const given = async (asked: () => Promise<Credential | null>): Promise<PublicKeyCredential> => {
  try {
    const credential = await asked();
    if (credential instanceof PublicKeyCredential) return credential;
  } catch (error) {
    throw new PasskeyFailed(error);
  }
  throw new PasskeyFailed(null);
};

/** Has the device make a passkey; gives what the service takes. */
export const makePasskey = async (
  options: Schemas['PasskeyCreationOptions'],
): Promise<Schemas['PasskeyRegistration']> => {
  const publicKey: PublicKeyCredentialCreationOptions = {
    ...options,
    challenge: toBytes(options.challenge),
    user: { ...options.user, id: toBytes(options.user.id) },
    excludeCredentials: described(options.excludeCredentials),
  };
  const made = await given(() => navigator.credentials.create({ publicKey }));
  const response = made.response as AuthenticatorAttestationResponse;
  return {
    id: made.id,
    type: 'public-key',
    response: {
      clientDataJSON: toText(response.clientDataJSON),
      attestationObject: toText(response.attestationObject),
      transports: response.getTransports().slice(0, 8),
    },
  };
};

/** Has the device prove that it holds one of the account's passkeys. */
export const usePasskey = async (options: PasskeyRequest): Promise<Schemas['PasskeyAssertion']> => {
  const publicKey: PublicKeyCredentialRequestOptions = {
    ...options,
    challenge: toBytes(options.challenge),
    allowCredentials: described(options.allowCredentials),
  };
  const held = await given(() => navigator.credentials.get({ publicKey }));
  const response = held.response as AuthenticatorAssertionResponse;
  return {
    id: held.id,
    type: 'public-key',
    response: {
      clientDataJSON: toText(response.clientDataJSON),
      authenticatorData: toText(response.authenticatorData),
      signature: toText(response.signature),
    },
  };
};
