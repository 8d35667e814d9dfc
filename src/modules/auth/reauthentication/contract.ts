import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { described, freeText } from '../../../core/endpoint/fields.ts';
import { sentCode } from '../code-fields.ts';
import { challengeLife, factorCode, passkeyChallenge, recoveryCode } from '../factors/contract.ts';
import { Assertion, RequestOptions } from '../passkeys/shapes.ts';

export const Reauthenticate = endpoint({
  method: 'post',
  path: '/v1/auth/reauthenticate',
  tag: 'auth',
  summary: 'Confirm who is at the device',
  description:
    'For what answers `reauthentication_required`: then this login counts as new for 10 minutes. Takes one of the fields; `sent_code` where the account has no password (`POST /v1/auth/reauthenticate/code`). 403 `sso_required` where passwords are turned off (`POST /v1/auth/reauthenticate/sso`).',
  access: 'bearer',
  beforeEnrolment: true,
  deviceToken: true,
  body: () =>
    z.object({
      password: described(z.optional(freeText(10_000)), 'The one in force.', { format: 'password' }),
      code: z.optional(factorCode()),
      recovery_code: z.optional(recoveryCode()),
      assertion: described(z.optional(Assertion()), 'The answer of a passkey, with its `challenge`.'),
      challenge: z.optional(passkeyChallenge()),
      sent_code: z.optional(sentCode('The code that was sent')),
    }),
  returns: {
    200: {
      description: 'Confirmed.',
      message: 'confirmed',
    },
  },
  fails: ['sso_required', 'confirmation_code_unavailable', 'rate_limited'],
});

export const BeginConfirmation = endpoint({
  method: 'post',
  path: '/v1/auth/reauthenticate/options',
  tag: 'auth',
  summary: 'Begin to confirm who is there by a passkey',
  access: 'bearer',
  beforeEnrolment: true,
  returns: {
    200: {
      description: 'What the browser takes.',
      data: () =>
        z.object({
          challenge: described(passkeyChallenge(), 'To be sent back with the answer; good once.'),
          expires_in: challengeLife(),
          passkey: described(
            RequestOptions(),
            'For `PublicKeyCredential.parseRequestOptionsFromJSON` and `navigator.credentials.get`.',
          ),
        }),
    },
  },
  fails: ['second_factor_missing'],
});

export const SendConfirmationCode = endpoint({
  method: 'post',
  path: '/v1/auth/reauthenticate/code',
  tag: 'auth',
  summary: 'Ask for a code that confirms who is at the device',
  description:
    'For an account that has neither a password nor a second factor. The code goes to its proved e-mail or, without one, to the phone that opens it, and counts as a code to log in does; it is good once, for 10 minutes and this login, as `sent_code` of `POST /v1/auth/reauthenticate`. Five wrong codes void it.',
  access: ['patient'],
  returns: {
    202: {
      description: 'It is on its way.',
      data: () =>
        z.object({
          by: described(z.enum(['mail', 'phone']), 'Where it went.', { example: 'phone' }),
        }),
      message: 'confirmation_code_sent',
    },
  },
  fails: ['confirmation_code_unavailable', 'rate_limited'],
});
