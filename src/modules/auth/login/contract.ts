import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { described, email, freeText, named } from '../../../core/endpoint/fields.ts';
import { once } from '../../../core/endpoint/once.ts';
import { roles } from '../../../core/endpoint/roles.ts';
import { consentVersion } from '../consents/contract.ts';
import { factorCode, recoveryCode } from '../factors/contract.ts';
import { profileFields } from '../fields.ts';
import { Assertion } from '../passkeys/shapes.ts';
import { PASSWORD_MAX_LENGTH } from '../passwords/form.ts';
import { PASSWORD_MIN_LENGTH } from '../passwords/policy.ts';

export const User = named('User', profileFields.answer);

const tokens = () => ({
  access_token: described(z.string(), 'A JWT for the Authorization header.'),
  token_type: z.literal('bearer'),
  expires_in: described(z.int(), 'Lifetime of the access token, in seconds.'),
  refresh_token: described(z.string(), 'Opaque; exchanges once for new tokens.'),
});

export const Login = named('Login', () => ({ user: User(), ...tokens() }));

const role = () => z.enum(roles);
const emailProved = () =>
  described(z.boolean(), 'Whether the e-mail was proved by a code or a link that was mailed to it.');

/** A login of one of our own pages, with its refresh token in a cookie. */
export const PageLogin = named('PageLogin', () => {
  const { access_token, token_type, expires_in } = tokens();
  return { user: User(), role: role(), email_proved: emailProved(), access_token, token_type, expires_in };
});

export const App = once(() =>
  described(z.enum(['pasien', 'konsol']), 'The page that asks: each has a cookie of its own.', {
    example: 'pasien',
  }),
);

export const Remember = () =>
  described(z._default(z.boolean(), false), 'Keep the cookie for 30 days; the console keeps none.');

const ofOurPages = () => ({
  app: described(z.optional(App()), 'For our own pages alone: the refresh token goes into a cookie.'),
  remember: Remember(),
});

export const loginOfEither = () => z.union([Login(), PageLogin()]);

/** A new password; `assertGoodPassword` checks it. */
export const newPassword = () =>
  described(
    z.string(),
    `${PASSWORD_MIN_LENGTH} to ${PASSWORD_MAX_LENGTH} characters, counted in NFKC; not a common one, not the e-mail or the name. The clinic may ask for more characters.`,
    { format: 'password', minLength: PASSWORD_MIN_LENGTH, maxLength: PASSWORD_MAX_LENGTH },
  );

/** A password that is chosen, typed twice. */
export const newPasswordTwice = () => ({
  password: newPassword(),
  password_confirmation: described(newPassword(), 'Must equal the password.'),
});

export const Register = endpoint({
  method: 'post',
  path: '/v1/auth/register',
  tag: 'auth',
  summary: 'Register a patient',
  access: 'public',
  sameOrigin: 'with app',
  ignoresUnknownQuery: true,
  body: () =>
    z.object({
      ...profileFields.create(),
      email: email(),
      ...newPasswordTwice(),
      device_id: z._default(freeText(255), ''),
      consent_version: z.optional(
        described(consentVersion(), 'The privacy notice that the person has agreed to, if they were asked.'),
      ),
      ...ofOurPages(),
    }),
  returns: {
    201: {
      description: 'Registered and logged in.',
      data: loginOfEither,
      message: { id: 'Registrasi berhasil.', en: 'Registration succeeded.' },
      headers: ['X-Device-Token', 'Set-Cookie'],
    },
  },
  fails: ['email_taken', 'rate_limited'],
});

export const LogIn = endpoint({
  method: 'post',
  path: '/v1/auth/login',
  tag: 'auth',
  summary: 'Log in',
  access: 'public',
  ignoresUnknownQuery: true,
  body: () =>
    z.object({
      email: described(freeText(1_000), 'The e-mail of the account; case does not matter.'),
      password: described(freeText(10_000), 'The password of the account.', { format: 'password' }),
      device_id: described(z.optional(freeText(255)), 'Names the device in the list of devices.'),
    }),
  deviceToken: true,
  returns: { 200: { description: 'Logged in.', data: Login, headers: ['X-Device-Token'] } },
  fails: ['invalid_credentials', 'sso_required', 'second_factor_required', 'rate_limited'],
});

export const LogInWithFactor = endpoint({
  method: 'post',
  path: '/v1/auth/login/second-factor',
  tag: 'auth',
  summary: 'Log in, second step',
  description:
    'Where the answer to the password was `second_factor_required`. Takes its `challenge` and one of the others; the challenge is good once, for 5 minutes.',
  access: 'public',
  sameOrigin: 'with app',
  body: () =>
    z.object({
      challenge: described(freeText(2_000), 'From the answer to the password.', {
        example: 'WyJiZTRkMiJd.c2ln',
      }),
      code: z.optional(factorCode()),
      recovery_code: z.optional(recoveryCode()),
      assertion: described(z.optional(Assertion()), 'The answer of a passkey, by its `toJSON`.'),
      ...ofOurPages(),
    }),
  deviceToken: true,
  returns: {
    200: { description: 'Logged in.', data: loginOfEither, headers: ['X-Device-Token', 'Set-Cookie'] },
  },
  fails: ['challenge_invalid', 'second_factor_invalid', 'rate_limited'],
});

export const Refresh = endpoint({
  method: 'post',
  path: '/v1/auth/refresh',
  tag: 'auth',
  summary: 'Exchange a refresh token for new tokens',
  description:
    'Each refresh token is good once and is followed by a new one. The one before may come again, for an answer that was lost, and gets the same successor: within 10 seconds, and for 24 hours as long as neither the successor nor an access token that came with it was used. Any other reuse logs the device out.',
  access: 'public',
  body: () => z.object({ refresh_token: described(freeText(200), 'The latest one.') }),
  returns: { 200: { description: 'New tokens.', data: named('Tokens', tokens) } },
  fails: ['unauthenticated', 'rate_limited'],
});

export const Profile = () =>
  z.object({
    user: User(),
    role: role(),
    email_proved: emailProved(),
    login_phone: described(
      z.nullable(z.string()),
      'The phone, in E.164, to which a code that logs in can go; null unless one was proved.',
      { example: null },
    ),
    has_password: described(
      z.boolean(),
      'Whether a password was set, and passwords are not turned off (`OIDC_PASSWORDS_OFF`). Where there is none, a code confirms a patient (`POST /v1/auth/reauthenticate/code`).',
      { example: true },
    ),
    confirms_by_sso: described(
      z.boolean(),
      'Whether the work account does (`POST /v1/auth/reauthenticate/sso`).',
      { example: false },
    ),
  });

export const GetProfile = endpoint({
  method: 'get',
  path: '/v1/auth/profile',
  tag: 'auth',
  summary: 'Who is logged in',
  access: 'bearer',
  discloses: 'own',
  ignoresUnknownQuery: true,
  returns: {
    200: {
      description: 'The person and their role.',
      data: Profile,
    },
  },
});

export const LogOut = endpoint({
  method: 'post',
  path: '/v1/auth/logout',
  tag: 'auth',
  summary: 'Log this device out',
  description: 'Its access token and its refresh token are refused from the next request on.',
  access: 'bearer',
  beforeEnrolment: true,
  ignoresUnknownQuery: true,
  returns: { 200: { description: 'Logged out.', message: 'logged_out' } },
});
