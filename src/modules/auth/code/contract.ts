import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { described, email, freeText, localDate, name } from '../../../core/endpoint/fields.ts';
import { sentCode } from '../code-fields.ts';
import { consentVersion } from '../consents/contract.ts';
import { profileFields } from '../fields.ts';
import { App, loginOfEither, Remember } from '../login/contract.ts';

/** One of the two says where the code goes. */
const whose = () => ({
  email: described(z.optional(email()), 'Where the code goes; case does not matter.'),
  phone: described(
    z.optional(freeText(50)),
    'Or the phone to which it goes, as people write it: a mobile number of Indonesia, or one with its country code after a plus.',
    { example: '0812-3456-7890' },
  ),
});

export const SendLoginCode = endpoint({
  method: 'post',
  path: '/v1/auth/code',
  tag: 'auth',
  summary: 'Ask for a code to log in',
  description:
    'Mails a code of six digits, or sends it to a phone by the message gateway; it is good once, for 10 minutes, and takes the place of any before it. Give `email` or `phone`. The answer and the code’s text are the same whether or not anyone has the e-mail or the phone, and whether or not the gateway takes the message. 404 where the clinic has not turned on logging in by code (`LOGIN_BY_CODE` for mail, `LOGIN_BY_PHONE_CODE` for phones), or sends no mail; 409 `phone_codes_off` for a phone where it sends no messages; 429 also once the messages of the clinic’s day (`PHONE_CODES_PER_DAY`) are used up.',
  access: 'public',
  body: () => z.object(whose()),
  returns: { 202: { description: 'It is on its way.', message: 'login_code_sent' } },
  fails: ['not_found', 'phone_codes_off', 'rate_limited'],
});

export const LogInByCode = endpoint({
  method: 'post',
  path: '/v1/auth/code/verify',
  tag: 'auth',
  summary: 'Log in, or register, by the code from the mail or the message',
  description:
    'Answers as a login by password does, the second factor included. Give `email` or `phone`, as for the code. Where nobody has the e-mail or has proved the phone, `name` and `birth_date` are needed, and a patient is registered with it, proved, and without a password; where they are missing the answer is 422 and the code stays good. An account that was made by a phone has `email: null` until its owner adds one (`POST /v1/auth/email/change`). A phone opens only the account for which it was proved, never one that merely names its number; after 60 days without use it opens it only together with the date of birth and a word of the name of its person, and otherwise registers a new person, since operators give numbers to others. Five wrong codes void the one that was sent. Who works for the clinic gets in only by mail, with a second factor and a proved e-mail, otherwise 403 `password_required`. A first login by a mailed code into an account whose e-mail was never proved voids its password, logs its devices out and takes its phone off, since anybody may have registered it.',
  access: 'public',
  sameOrigin: 'with app',
  deviceToken: true,
  body: () => {
    const { phone_number, phone_country_code } = profileFields.change();
    return z.object({
      ...whose(),
      code: sentCode('From the mail or the message'),
      name: described(z.optional(name()), 'Of a new person.', { example: 'Putri Ayu' }),
      birth_date: described(z.optional(localDate()), 'Of a new person; not after today.', {
        example: '1990-05-17',
      }),
      phone_number: described(phone_number, 'Of a new person; with `phone` it is that one.'),
      phone_country_code,
      device_id: described(z.optional(freeText(255)), 'Names the device in the list of devices.'),
      consent_version: z.optional(
        described(
          consentVersion(),
          'The privacy notice that a new person has agreed to, if they were asked.',
        ),
      ),
      app: described(z.optional(App()), 'For our own pages alone: the refresh token goes into a cookie.'),
      remember: Remember(),
    });
  },
  returns: {
    200: {
      description: 'Logged in; a new person is registered.',
      data: loginOfEither,
      headers: ['X-Device-Token', 'Set-Cookie'],
    },
  },
  fails: [
    'not_found',
    'phone_codes_off',
    'login_code_invalid',
    'password_required',
    'sso_required',
    'second_factor_required',
    'rate_limited',
  ],
});
