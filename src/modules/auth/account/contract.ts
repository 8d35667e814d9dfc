import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { described, email, freeText, named, utcInstant, uuid } from '../../../core/endpoint/fields.ts';
import { pageMeta, pageQuery } from '../../../core/endpoint/query-fields.ts';
import { emailCode } from '../code-fields.ts';
import { profileFields } from '../fields.ts';
import { newPasswordTwice, Profile } from '../login/contract.ts';

const own = { tag: 'auth', access: 'bearer' } as const;

export const ChangeProfile = endpoint({
  ...own,
  method: 'patch',
  path: '/v1/auth/profile',
  summary: 'Change name or phone number',
  description: 'What is left out stays as it is.',
  bodyOptional: true,
  body: () => z.object(profileFields.change()),
  returns: {
    200: {
      description: 'Changed.',
      data: Profile,
      message: { id: 'Profil berhasil diperbarui.', en: 'The profile was changed.' },
    },
  },
});

export const ChangePassword = endpoint({
  ...own,
  method: 'post',
  path: '/v1/auth/password',
  summary: 'Change the password',
  description: 'Logs the other devices out.',
  deviceToken: true,
  body: () =>
    z.object({
      current_password: described(freeText(10_000), 'The one in force.', { format: 'password' }),
      ...newPasswordTwice(),
    }),
  returns: {
    200: {
      description: 'Changed; the other devices are logged out.',
      message: {
        id: 'Kata sandi berhasil diubah. Anda telah keluar dari semua perangkat lain.',
        en: 'The password was changed. You were logged out of all other devices.',
      },
    },
  },
  fails: ['rate_limited'],
});

export const ForgotPassword = endpoint({
  method: 'post',
  path: '/v1/auth/password/forgot',
  tag: 'auth',
  summary: 'Ask for a way to set a new password',
  description: 'The answer is the same whether or not anyone has the e-mail.',
  access: 'public',
  body: () => z.object({ email: email() }),
  returns: {
    202: { description: 'If someone has the e-mail, a mail is on its way.', message: 'reset_requested' },
  },
  fails: ['rate_limited'],
});

export const ResetPassword = endpoint({
  method: 'post',
  path: '/v1/auth/password/reset',
  tag: 'auth',
  summary: 'Set a new password by the token from the mail',
  description:
    'The token is good once, for 30 minutes. Logs every device out; where the e-mail was never proved, the phone that logs in is taken off.',
  access: 'public',
  deviceToken: true,
  body: () =>
    z.object({
      token: described(freeText(200), 'From the mail.', { example: 'K3f9_mail-token' }),
      ...newPasswordTwice(),
    }),
  returns: {
    200: {
      description: 'Set; every device is logged out.',
      message: {
        id: 'Kata sandi berhasil diatur ulang. Silakan masuk kembali.',
        en: 'The password was reset. Please log in again.',
      },
    },
  },
  fails: ['reset_token_invalid', 'rate_limited'],
});

export const Device = named('Device', () => ({
  id: described(uuid(), 'Of this login of the device.'),
  device_id: described(z.string(), 'What the device called itself; may be empty.'),
  user_agent: described(z.string(), 'Its software in words, such as "Chrome, Android"; may be empty.'),
  created_at: described(utcInstant(), 'When it logged in.'),
  last_seen_at: described(utcInstant(), 'To within some minutes.'),
  current: described(z.boolean(), 'Whether it is the one that asks.'),
}));

export const ListDevices = endpoint({
  ...own,
  method: 'get',
  path: '/v1/auth/devices',
  summary: 'The devices that are logged in',
  description: 'The newest login first.',
  discloses: 'own',
  query: pageQuery,
  returns: { 200: { description: 'A page of devices.', data: () => z.array(Device()), meta: pageMeta } },
});

export const EndDevice = endpoint({
  ...own,
  method: 'delete',
  path: '/v1/auth/devices/{id}',
  summary: 'Log one device out',
  returns: {
    200: {
      description: 'Logged out.',
      message: {
        id: 'Anda telah keluar dari perangkat tersebut.',
        en: 'You were logged out of that device.',
      },
    },
  },
});

export const EndOtherDevices = endpoint({
  ...own,
  method: 'delete',
  path: '/v1/auth/devices',
  summary: 'Log all other devices out',
  returns: {
    200: {
      description: 'Logged out.',
      data: () => z.object({ ended: described(z.int(), 'How many there were.') }),
      message: {
        id: 'Anda telah keluar dari semua perangkat lain.',
        en: 'You were logged out of all other devices.',
      },
    },
  },
});

export const ChangeEmail = endpoint({
  ...own,
  method: 'post',
  path: '/v1/auth/email/change',
  summary: 'Ask for another e-mail',
  description:
    'A code is mailed to the new e-mail, and word of it to the present one, which stays the login until the code was entered. The answer is the same where somebody has the new e-mail.',
  recentLogin: true,
  body: () => z.object({ email: described(email(), 'The new one.', { example: 'putri@klinik.example' }) }),
  returns: { 202: { description: 'A mail is on its way.', message: 'email_change_sent' } },
  fails: ['rate_limited'],
});

export const ProveNewEmail = endpoint({
  ...own,
  method: 'post',
  path: '/v1/auth/email/change/verify',
  summary: 'Change the e-mail by the code from the mail',
  description: 'Five wrong codes void the one that was mailed. Logs the other devices out.',
  body: () =>
    z.object({
      code: emailCode(),
    }),
  returns: {
    200: {
      description: 'Changed.',
      data: Profile,
      message: { id: 'Email Anda berhasil diubah.', en: 'Your e-mail was changed.' },
    },
  },
  fails: ['email_code_invalid', 'rate_limited'],
});
