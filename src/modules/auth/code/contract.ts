import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { described, email, freeText, localDate, name } from '../../../core/endpoint/fields.ts';
import { consentVersion } from '../consents/contract.ts';
import { profileFields } from '../fields.ts';
import { App, loginOfEither, Remember } from '../login/contract.ts';

const whose = () => described(email(), 'Where the code goes; case does not matter.');

export const SendLoginCode = endpoint({
  method: 'post',
  path: '/v1/auth/code',
  tag: 'auth',
  summary: 'Ask for a code to log in',
  description:
    'Mails a code of six digits that is good once, for 10 minutes, and takes the place of any before it. The answer and the mail are the same whether or not anyone has the e-mail. 404 where the clinic has not turned on logging in by code (`LOGIN_BY_CODE`), or sends no mail.',
  access: 'public',
  body: () => z.object({ email: whose() }),
  returns: { 202: { description: 'A mail is on its way.', message: 'login_code_sent' } },
  fails: ['not_found', 'rate_limited'],
});

export const LogInByCode = endpoint({
  method: 'post',
  path: '/v1/auth/code/verify',
  tag: 'auth',
  summary: 'Log in, or register, by the code from the mail',
  description:
    'Answers as a login by password does, the second factor included. Where nobody has the e-mail, `name` and `birth_date` are needed, and a patient is registered with a proved e-mail and without a password; where they are missing the answer is 422 and the code stays good. Five wrong codes void the one that was mailed. Who works for the clinic gets in only with a second factor and a proved e-mail, otherwise 403 `password_required`. A first login by code into an account whose e-mail was never proved voids its password and logs its devices out, since anybody may have registered it.',
  access: 'public',
  sameOrigin: 'with app',
  deviceToken: true,
  body: () => {
    const { phone_number, phone_country_code } = profileFields.change();
    return z.object({
      email: whose(),
      code: described(freeText(100), 'From the mail; spaces and hyphens in it do not matter.', {
        example: '123 456',
      }),
      name: described(z.optional(name()), 'Of a new person.', { example: 'Putri Ayu' }),
      birth_date: described(z.optional(localDate()), 'Of a new person; not after today.', {
        example: '1990-05-17',
      }),
      phone_number,
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
    'login_code_invalid',
    'password_required',
    'sso_required',
    'second_factor_required',
    'rate_limited',
  ],
});
