import * as z from 'zod/mini';
import { endpoint } from '../../core/endpoint/endpoint.ts';
import { described, email, freeText, name, named } from '../../core/endpoint/fields.ts';
import { newPasswordTwice, PageLogin } from '../auth/login/contract.ts';
import { missing } from './rules.ts';

export const GetSetup = endpoint({
  method: 'get',
  path: '/v1/setup',
  tag: 'auth',
  summary: 'Whether the first admin is still to be made',
  access: 'public',
  returns: {
    200: {
      description: 'How the clinic stands.',
      data: () =>
        z.object({
          open: described(z.boolean(), 'True until the clinic has an admin.', { example: false }),
        }),
    },
  },
});

export const CreateFirstAdmin = endpoint({
  method: 'post',
  path: '/v1/setup',
  tag: 'auth',
  // The link is good once: a repeat is refused by itself.
  repeatable: true,
  summary: 'Make the first admin',
  description:
    'For the page that the set-up link opens (`/mulai/`). The link is printed where the service starts, or by the command `setup-link`; it is good once, for an hour, and only while the clinic has no admin. The refresh token goes into the cookie of the console.',
  access: 'public',
  sameOrigin: true,
  body: () =>
    z.object({
      token: described(freeText(200), "What stands after the `#` of the link's address.", {
        example: 'K3f9_setup-token',
      }),
      name: name(),
      email: email(),
      ...newPasswordTwice(),
    }),
  returns: {
    201: { description: 'Made, and logged in.', data: PageLogin, headers: ['Set-Cookie'] },
  },
  fails: ['setup_link_invalid', 'setup_closed', 'email_taken', 'rate_limited'],
});

const admin = { tag: 'admin', access: ['admin'] } as const;

export const ListMissingSetup = endpoint({
  ...admin,
  method: 'get',
  path: '/v1/admin/setup',
  discloses: 'nothing',
  summary: 'What the clinic still lacks',
  description:
    'Read off what stands: a name of the clinic, a session, a doctor, hours to book, a second factor of anybody who works here, mail that leaves, and a good backup. A demo clinic lacks nothing.',
  returns: {
    200: {
      description: 'What is missing.',
      data: named('SetupState', () => ({
        missing: described(
          z.array(z.enum(missing)),
          'In the order in which it is best done. `mail`: no mail leaves for people; `mail_failing`: the last one did not leave; `backup`: the service keeps an embedded file, and made no good backup of it yet.',
          { example: ['schedule'] },
        ),
        sends_mail: described(z.boolean(), 'Whether mail leaves for people at all.', { example: true }),
        sends_messages: described(z.boolean(), 'Whether a gateway for messages is set.', {
          example: false,
        }),
        has_sandbox: described(z.boolean(), 'Whether a sandbox for test keys stands beside the clinic.', {
          example: false,
        }),
      })),
    },
  },
});

export const SendTestMail = endpoint({
  ...admin,
  method: 'post',
  path: '/v1/admin/setup/test-mail',
  summary: 'Send a letter to oneself',
  description: "To the caller's own e-mail, at once: the answer comes when the mail server has answered.",
  idempotent: true,
  returns: {
    200: {
      description: 'The mail server took it.',
      message: {
        id: 'Surat percobaan telah dikirim ke email Anda. Periksa juga folder spam.',
        en: 'A trial letter was sent to your e-mail. Please look into the spam folder, too.',
      },
    },
  },
  fails: ['mail_not_sent', 'rate_limited'],
});
