import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { described, freeText, name, named, utcInstant, uuid } from '../../../core/endpoint/fields.ts';
import { factorKinds } from '../../../core/tables/words.ts';
import { typedCode } from '../code-fields.ts';
import { CreationOptions, NewPasskey } from '../passkeys/shapes.ts';

/** The code that an authenticator app shows. */
export const factorCode = () =>
  typedCode('From the authenticator app; spaces in it do not matter.', '123 456');

export const recoveryCode = () =>
  typedCode('One of the ten; each is good once.', 'k3f9-7xqz-0m2p-w8rd-5hjc-t6vn');

const SecondFactor = named('SecondFactor', () => ({
  id: uuid(),
  kind: described(z.enum(factorKinds), 'An authenticator app (RFC 6238), or a passkey (WebAuthn).'),
  name: described(z.string(), 'What its owner calls it; may be empty.', { example: 'Ponsel klinik' }),
  created_at: utcInstant(),
  last_used_at: described(utcInstant(), 'When it last proved who it is.'),
}));

const path = '/v1/auth/second-factors';
const common = { tag: 'auth', access: 'bearer', beforeEnrolment: true } as const;

export const ListSecondFactors = endpoint({
  ...common,
  method: 'get',
  path,
  discloses: 'own',
  summary: 'What a login asks for beside the password',
  returns: {
    200: {
      description: 'The factors that are set up.',
      data: () =>
        z.object({
          factors: described(z.array(SecondFactor()), 'Any of them will do.'),
          codes_left: described(z.int(), 'How many recovery codes were not used yet.', { example: 10 }),
          required: described(z.boolean(), 'Whether the clinic asks this role for one.'),
        }),
    },
  },
});

export const StartTotp = endpoint({
  ...common,
  method: 'post',
  path: `${path}/totp`,
  summary: 'Begin to set up an authenticator app',
  description:
    'Nothing is asked of anybody until the first code has confirmed it. Beginning again takes the place of what was begun.',
  recentLogin: true,
  bodyOptional: true,
  body: () =>
    z.object({
      name: described(z.optional(name()), 'What to call it.', { example: 'Ponsel klinik' }),
    }),
  returns: {
    201: {
      description: 'To be read by the app, as a QR code or typed; shown this once.',
      data: () =>
        z.object({
          id: uuid(),
          secret: described(z.string(), 'In base32, to be typed.', {
            example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
          }),
          otpauth_url: described(z.string(), 'The same as an address, for a QR code.', {
            example: 'otpauth://totp/Janji:staff%40klinik.example?secret=JBSWY3DPEHPK3PXP&issuer=Janji',
          }),
        }),
      message: {
        id: 'Pindai kode QR dengan aplikasi autentikator, lalu masukkan kodenya.',
        en: 'Scan the QR code with an authenticator app, then enter its code.',
      },
    },
  },
});

const RecoveryCodes = () =>
  z.object({
    recovery_codes: described(
      z.array(z.string()),
      'Ten codes for a person who has lost the app, each good once; shown this once.',
      { example: ['k3f9-7xqz-0m2p-w8rd-5hjc-t6vn'] },
    ),
  });

export const ConfirmTotp = endpoint({
  ...common,
  method: 'post',
  path: `${path}/totp/confirm`,
  summary: 'Finish it by the first code that the app shows',
  description:
    'From now on each login takes a code. Takes the place of the app that was in use before, and logs the other devices out.',
  recentLogin: true,
  body: () => z.object({ code: factorCode() }),
  returns: {
    200: {
      description: 'Set up.',
      data: RecoveryCodes,
      message: {
        id: 'Verifikasi dua langkah telah aktif. Simpan kode pemulihan di tempat yang aman.',
        en: 'The second factor is set up. Please keep the recovery codes in a safe place.',
      },
    },
  },
  fails: ['rate_limited'],
});

/** The challenge that a page sends back together with a passkey's answer. */
export const passkeyChallenge = () =>
  described(freeText(2_000), 'As it was given together with the options.', { example: 'WyJhZGQiXQ.c2ln' });

export const challengeLife = () => described(z.int(), 'How long it is good, in seconds.', { example: 300 });

export const BeginPasskey = endpoint({
  ...common,
  method: 'post',
  path: `${path}/passkeys/options`,
  summary: 'Begin to add a passkey',
  description:
    'For `PublicKeyCredential.parseCreationOptionsFromJSON` and `navigator.credentials.create`. An account has at most 10.',
  recentLogin: true,
  returns: {
    200: {
      description: 'What the browser takes.',
      data: () =>
        z.object({
          challenge: described(passkeyChallenge(), 'To be sent back with the new passkey; good once.'),
          expires_in: challengeLife(),
          public_key: described(CreationOptions(), 'The options, in the JSON of WebAuthn.'),
        }),
    },
  },
  fails: ['too_many_passkeys'],
});

export const AddPasskey = endpoint({
  ...common,
  method: 'post',
  path: `${path}/passkeys`,
  summary: 'Add the passkey that the browser made',
  description:
    'From now on each login asks for a second factor, and this is one. The first factor logs the other devices out and brings recovery codes.',
  recentLogin: true,
  body: () =>
    z.object({
      challenge: passkeyChallenge(),
      credential: described(NewPasskey(), 'The answer of the browser, by its `toJSON`.'),
      name: described(z.optional(name()), 'What to call it.', { example: 'Ponsel klinik' }),
    }),
  returns: {
    201: {
      description: 'Added.',
      data: () =>
        z.object({
          id: uuid(),
          recovery_codes: described(
            z.array(z.string()),
            'Ten codes for a person who has lost the factor, each good once; shown this once. Empty where an earlier factor brought them.',
            { example: ['k3f9-7xqz-0m2p-w8rd-5hjc-t6vn'] },
          ),
        }),
      message: { id: 'Kunci sandi telah ditambahkan.', en: 'The passkey was added.' },
    },
  },
  fails: ['rate_limited'],
});

export const MakeRecoveryCodes = endpoint({
  ...common,
  method: 'post',
  path: `${path}/recovery-codes`,
  summary: 'Make ten new recovery codes',
  description: 'Those of before are void.',
  recentLogin: true,
  returns: {
    200: {
      description: 'Made.',
      data: RecoveryCodes,
      message: {
        id: 'Kode pemulihan baru telah dibuat. Kode yang lama tidak berlaku lagi.',
        en: 'New recovery codes were made. Those of before are void.',
      },
    },
  },
  fails: ['second_factor_missing'],
});

export const RemoveSecondFactor = endpoint({
  ...common,
  method: 'delete',
  path: `${path}/{id}`,
  summary: 'Take a second factor away',
  description: 'With the last one its recovery codes go, too, and a login asks for the password alone.',
  recentLogin: true,
  returns: {
    200: {
      description: 'Taken away.',
      message: { id: 'Verifikasi dua langkah telah dihapus.', en: 'The second factor was taken away.' },
    },
  },
});
