import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { digits, email, freeText, oneLine, uuid } from '../fields.ts';

export const User = z
  .object({
    id: uuid.describe('Assigned by the service.'),
    name: z.string().describe('As given at registration.'),
    phone_number: z.string().describe('Digits, kept as text.'),
    phone_country_code: z.string().describe('Digits, kept as text.'),
    email: z.string().describe('The login identifier, in lower case.'),
    device_id: z.string().describe('May be empty.'),
  })
  .meta({ id: 'User' });

const password = z.string().describe('8 to 128 characters, not a common one.').meta({ format: 'password' });

const tokens = {
  access_token: z.string().describe('A JWT for the Authorization header.'),
  token_type: z.literal('bearer'),
  expires_in: z.int().describe('Lifetime of the access token, in seconds.'),
  refresh_token: z.string().describe('Opaque; exchanges once for new tokens.'),
};

export const Login = z.object({ user: User, ...tokens }).meta({ id: 'Login' });

export const Register = endpoint({
  method: 'post',
  path: '/v1/auth/register',
  tag: 'auth',
  summary: 'Register a patient',
  access: 'public',
  body: z.object({
    name: oneLine(100),
    phone_number: digits(4, 15),
    phone_country_code: digits(1, 3),
    email,
    password,
    password_confirmation: z.string().describe('Must equal the password.'),
    device_id: freeText(255).default(''),
  }),
  returns: { 201: { description: 'Registered and logged in.', data: Login, message: 'registered' } },
  fails: ['malformed_json', 'validation_failed', 'email_taken', 'payload_too_large', 'unsupported_media_type', 'unavailable'],
});

export const LogIn = endpoint({
  method: 'post',
  path: '/v1/auth/login',
  tag: 'auth',
  summary: 'Log in',
  access: 'public',
  body: z.object({
    email: freeText(1_000).describe('The e-mail of the account; case does not matter.'),
    password: freeText(10_000).meta({ format: 'password' }),
    device_id: freeText(255).optional().describe('Names the device in the list of devices.'),
  }),
  returns: { 200: { description: 'Logged in.', data: Login } },
  fails: ['malformed_json', 'validation_failed', 'invalid_credentials', 'payload_too_large', 'unsupported_media_type', 'unavailable'],
});

export const GetProfile = endpoint({
  method: 'get',
  path: '/v1/auth/profile',
  tag: 'auth',
  summary: 'Who is logged in',
  access: 'bearer',
  returns: {
    200: {
      description: 'The person and their role.',
      data: z.object({ user: User, role: z.enum(['patient', 'doctor', 'staff', 'admin']) }),
    },
  },
  fails: ['unauthenticated', 'unavailable'],
});

export const LogOut = endpoint({
  method: 'post',
  path: '/v1/auth/logout',
  tag: 'auth',
  summary: 'Log this device out',
  description: 'Its access token and its refresh token are refused from the next request on.',
  access: 'bearer',
  returns: { 200: { description: 'Logged out.', message: 'logged_out' } },
  fails: ['unauthenticated', 'malformed_json', 'payload_too_large', 'unsupported_media_type', 'unavailable'],
});
