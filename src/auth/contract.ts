import * as z from 'zod/mini';
import { endpoint } from '../endpoint.ts';
import { digits, email, freeText, named, oneLine, told, uuid } from '../fields.ts';
import { once } from '../once.ts';

export const User = named('User', () => ({
  id: told(uuid(), 'Assigned by the service.'),
  name: told(z.string(), 'As given at registration.'),
  phone_number: told(z.string(), 'Digits, kept as text.'),
  phone_country_code: told(z.string(), 'Digits, kept as text.'),
  email: told(z.string(), 'The login identifier, in lower case.'),
  device_id: told(z.string(), 'May be empty.'),
}));

const tokens = once(() => ({
  access_token: told(z.string(), 'A JWT for the Authorization header.'),
  token_type: z.literal('bearer'),
  expires_in: told(z.int(), 'Lifetime of the access token, in seconds.'),
  refresh_token: told(z.string(), 'Opaque; exchanges once for new tokens.'),
}));

export const Login = named('Login', () => ({ user: User(), ...tokens() }));

export const Register = endpoint({
  method: 'post',
  path: '/v1/auth/register',
  tag: 'auth',
  summary: 'Register a patient',
  access: 'public',
  ignoresUnknownQuery: true,
  body: () =>
    z.object({
      name: oneLine(100),
      phone_number: digits(4, 15),
      phone_country_code: digits(1, 3),
      email: email(),
      password: told(z.string(), '8 to 128 characters, not a common one.', { format: 'password' }),
      password_confirmation: told(z.string(), 'Must equal the password.'),
      device_id: z._default(freeText(255), ''),
    }),
  returns: { 201: { description: 'Registered and logged in.', data: Login, message: 'registered' } },
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
      email: told(freeText(1_000), 'The e-mail of the account; case does not matter.'),
      password: told(freeText(10_000), 'The password of the account.', { format: 'password' }),
      device_id: told(z.optional(freeText(255)), 'Names the device in the list of devices.'),
    }),
  returns: { 200: { description: 'Logged in.', data: Login } },
  fails: ['invalid_credentials', 'rate_limited'],
});

export const Refresh = endpoint({
  method: 'post',
  path: '/v1/auth/refresh',
  tag: 'auth',
  summary: 'Exchange a refresh token for new tokens',
  description:
    'Each refresh token is good once and is followed by a new one. The one before may come again within 10 seconds, for an answer that was lost, and gets the same successor; any other reuse logs the device out.',
  access: 'public',
  body: () => z.object({ refresh_token: told(freeText(200), 'The latest one.') }),
  returns: { 200: { description: 'New tokens.', data: named('Tokens', tokens) } },
  fails: ['unauthenticated', 'rate_limited'],
});

export const Profile = once(() =>
  z.object({ user: User(), role: z.enum(['patient', 'doctor', 'staff', 'admin']) }),
);

export const GetProfile = endpoint({
  method: 'get',
  path: '/v1/auth/profile',
  tag: 'auth',
  summary: 'Who is logged in',
  access: 'bearer',
  ignoresUnknownQuery: true,
  returns: {
    200: {
      description: 'The person and their role.',
      data: Profile,
    },
  },
  fails: [],
});

export const LogOut = endpoint({
  method: 'post',
  path: '/v1/auth/logout',
  tag: 'auth',
  summary: 'Log this device out',
  description: 'Its access token and its refresh token are refused from the next request on.',
  access: 'bearer',
  ignoresUnknownQuery: true,
  returns: { 200: { description: 'Logged out.', message: 'logged_out' } },
  fails: [],
});
