import * as z from 'zod/mini';
import { endpoint } from '../../endpoint/endpoint.ts';
import { described, freeText, idParam, named, oneLine, utcInstant, uuid } from '../../endpoint/fields.ts';

/** The code that an authenticator app shows. */
export const factorCode = () =>
  described(freeText(100), 'From the authenticator app; spaces in it do not matter.', { example: '123 456' });

export const recoveryCode = () =>
  described(freeText(100), 'One of the ten; each is good once.', { example: 'k3f9-7xqz-0m2p-w8rd' });

const SecondFactor = named('SecondFactor', () => ({
  id: uuid(),
  kind: described(z.enum(['totp']), 'An authenticator app (RFC 6238).'),
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
  fails: [],
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
      name: described(z.optional(oneLine(100)), 'What to call it.', { example: 'Ponsel klinik' }),
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
      message: 'second_factor_begun',
    },
  },
  fails: [],
});

const RecoveryCodes = () =>
  z.object({
    recovery_codes: described(
      z.array(z.string()),
      'Ten codes for whoever has lost the app, each good once; shown this once.',
      { example: ['k3f9-7xqz-0m2p-w8rd'] },
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
    200: { description: 'Set up.', data: RecoveryCodes, message: 'second_factor_added' },
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
  returns: { 200: { description: 'Made.', data: RecoveryCodes, message: 'recovery_codes_made' } },
  fails: ['second_factor_missing'],
});

export const RemoveSecondFactor = endpoint({
  ...common,
  method: 'delete',
  path: `${path}/{id}`,
  summary: 'Take a second factor away',
  description: 'With the last one its recovery codes go, too, and a login asks for the password alone.',
  recentLogin: true,
  params: idParam,
  returns: { 200: { description: 'Taken away.', message: 'second_factor_removed' } },
  fails: [],
});
