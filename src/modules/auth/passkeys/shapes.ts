import * as z from 'zod/mini';
import { described, freeText, named } from '../../../core/endpoint/fields.ts';
import { es256 } from './rules.ts';

// The names are those of WebAuthn's own JSON (PublicKeyCredential.toJSON, parseCreationOptionsFromJSON and
// parseRequestOptionsFromJSON), so that a page hands both on as they are.

/** Bytes as WebAuthn writes them: base64url without padding. */
const bytes = (max: number, what: string, example: string) =>
  described(freeText(max), `${what}, in base64url.`, { example });

const credentialType = () => described(z.literal('public-key'), 'The one type that there is.');

const credentialId = () => bytes(1_400, 'What the passkey calls itself', 'kE0r0gJ2b5l7S2u5aW0mQw');

const Transports = () =>
  described(z.array(z.string()), 'How the passkey is reached, as the browser said.', {
    example: ['internal', 'hybrid'],
  });

const Descriptor = named('PasskeyDescriptor', () => ({
  type: credentialType(),
  id: credentialId(),
  transports: Transports(),
}));

const challenge = () =>
  described(z.string(), 'What the passkey signs, in base64url.', {
    example: 'pWBvBq9WQyQ0hJr7bcr8mYb3JcP2v0vGQ0Q1mH0yq5I',
  });

const timeout = () => described(z.int(), 'How long it may take, in milliseconds.', { example: 300_000 });

const userVerification = () =>
  described(z.literal('required'), 'The device asks for its PIN, a finger or a face.');

/** For `navigator.credentials.create`. */
export const CreationOptions = named('PasskeyCreationOptions', () => ({
  rp: described(
    z.object({
      id: described(z.string(), 'Its domain.', { example: 'klinik.example' }),
      name: described(z.string(), 'What it is called.', { example: 'Janji' }),
    }),
    'What the passkey belongs to.',
  ),
  user: described(
    z.object({
      id: described(z.string(), 'The id of the account, in base64url.', { example: 'ZDBjNzAwMDAtMDAwMA' }),
      name: described(z.string(), 'The e-mail.', { example: 'staff@klinik.example' }),
      displayName: described(z.string(), 'The name.', { example: 'Rina Resepsionis' }),
    }),
    'Whose passkey it is.',
  ),
  challenge: challenge(),
  pubKeyCredParams: described(
    z.array(
      z.object({
        type: credentialType(),
        alg: described(z.int(), 'Its number in COSE.', { example: es256 }),
      }),
    ),
    'The algorithms that are understood: ES256, EdDSA, RS256.',
  ),
  timeout: timeout(),
  attestation: described(z.literal('none'), 'Nothing is asked about the make of the device.'),
  excludeCredentials: described(z.array(Descriptor()), 'The passkeys that the account has.'),
  authenticatorSelection: described(
    z.object({
      residentKey: described(z.literal('preferred'), 'The device keeps it, if it can.'),
      userVerification: userVerification(),
    }),
    'What the device has to be able to do.',
  ),
}));

/** For `navigator.credentials.get`. */
export const RequestOptions = named('PasskeyRequestOptions', () => ({
  challenge: challenge(),
  timeout: timeout(),
  rpId: described(z.string(), 'The domain that the passkey belongs to.', { example: 'klinik.example' }),
  allowCredentials: described(z.array(Descriptor()), 'The passkeys of the account.'),
  userVerification: userVerification(),
}));

const clientData = () => bytes(8_000, 'What the browser saw', 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0');

/** The answer of `navigator.credentials.create`, by its `toJSON`. */
export const NewPasskey = named('PasskeyRegistration', () => ({
  id: credentialId(),
  type: credentialType(),
  response: described(
    z.object({
      clientDataJSON: clientData(),
      attestationObject: bytes(
        32_000,
        'The key, and what the device says of it',
        'o2NmbXRkbm9uZWdhdHRTdG10oA',
      ),
      transports: z.optional(
        described(z.array(freeText(32)).check(z.maxLength(8)), 'How the passkey is reached.', {
          example: ['internal', 'hybrid'],
        }),
      ),
    }),
    'What the device made.',
  ),
}));

/** The answer of `navigator.credentials.get`, by its `toJSON`. */
export const Assertion = named('PasskeyAssertion', () => ({
  id: credentialId(),
  type: credentialType(),
  response: described(
    z.object({
      clientDataJSON: clientData(),
      authenticatorData: bytes(8_000, 'What the device says of this use', 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLH'),
      signature: bytes(2_000, 'The signature of both', 'MEUCIQDxV0c0nRT5'),
    }),
    'What the device signed.',
  ),
}));
