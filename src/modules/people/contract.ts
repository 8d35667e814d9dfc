import * as z from 'zod/mini';
import { endpoint } from '../../core/endpoint/endpoint.ts';
import {
  countryCodeOrEmpty,
  described,
  email,
  name,
  named,
  phoneNumberOrEmpty,
  searchText,
  utcInstant,
  uuid,
} from '../../core/endpoint/fields.ts';
import { pageMeta, paging } from '../../core/endpoint/query-fields.ts';
import { roles } from '../../core/endpoint/roles.ts';
import { newPassword } from '../auth/login/contract.ts';

const Role = () =>
  described(z.enum(roles), 'What the person may do.', {
    example: 'staff',
  });

const contact = () => ({
  id: uuid(),
  name: z.string(),
  phone_number: described(z.string(), 'Digits; may be empty for people of the clinic.'),
  phone_country_code: z.string(),
  email: described(z.nullable(z.string()), 'Null for a patient who has only proved a phone.'),
});

const Person = named('Person', () => ({
  ...contact(),
  role: Role(),
  doctor_id: described(
    z.nullable(uuid()),
    'The doctor whose bookings an account with the role `doctor` runs.',
  ),
  password_set: described(z.boolean(), 'False until the person has set a first password.'),
  second_factor: described(z.boolean(), 'Whether a login asks for a second factor.'),
  active: described(z.boolean(), 'False while the account is shut.'),
  created_at: utcInstant(),
}));

const PasswordSetup = named('PasswordSetup', () => ({
  by: described(
    z.enum(['mail', 'link']),
    'By a mail to the person, or where none can leave by a link to hand over.',
  ),
  token: described(z.nullable(z.string()), 'Good once for `POST /v1/auth/password/reset`; shown this once.', {
    example: 'K3f9_handed-over-token',
  }),
  url: described(z.nullable(z.string()), 'The same as a link, where `PASSWORD_RESET_URL` is set.'),
  expires_at: described(utcInstant(), 'Until when it is good.'),
}));

const setupMeta = () =>
  z.object({
    password_setup: described(
      z.nullable(PasswordSetup()),
      'How the person comes to a first password; null where none is needed.',
    ),
  });

const q = () =>
  described(
    z.optional(searchText()),
    'Beginnings of words of the name, of the e-mail, or of the phone number with or without its country code; all of them must be found.',
  );

const path = '/v1/admin/people';
const common = { tag: 'admin', access: ['admin'] } as const;
const doctorId = () => described(uuid(), 'Required for the role `doctor`, and ignored for any other.');

export const ListPeople = endpoint({
  ...common,
  method: 'get',
  path,
  discloses: 'list',
  summary: 'Find people',
  description: 'In the order of roles and names; with `q` in the order of the words that were found.',
  query: () => z.object({ ...paging(), q: q(), role: z.optional(Role()) }),
  returns: { 200: { description: 'A page of people.', data: () => z.array(Person()), meta: pageMeta } },
});

export const InvitePerson = endpoint({
  ...common,
  method: 'post',
  path,
  summary: 'Add a doctor, staff or an admin',
  description:
    'Without a password the account has none: its owner sets one by a mail, or where no mail can leave by the link in `meta.password_setup`.',
  recentLogin: true,
  idempotent: true,
  answersSecret: true,
  body: () =>
    z.object({
      name: name(),
      email: email(),
      phone_number: z._default(phoneNumberOrEmpty(), ''),
      phone_country_code: z._default(countryCodeOrEmpty(), ''),
      role: described(z.enum(['doctor', 'staff', 'admin']), 'What the person may do.', { example: 'staff' }),
      doctor_id: z.optional(doctorId()),
      password: described(z.optional(newPassword()), 'A first password; as at registration.'),
    }),
  returns: {
    201: { description: 'Added.', data: Person, meta: setupMeta, message: 'created', headers: ['Location'] },
  },
  fails: ['email_taken'],
});

export const GetPerson = endpoint({
  ...common,
  method: 'get',
  path: `${path}/{id}`,
  discloses: 'record',
  summary: 'One person',
  returns: { 200: { description: 'The person.', data: Person } },
});

export const ChangeRole = endpoint({
  ...common,
  method: 'patch',
  path: `${path}/{id}`,
  summary: "Change a person's role",
  description:
    'Holds from the next request on and ends every device login of the person. The role `patient` takes all rights away. The last admin stays one. An account that its owner registered loses its password with the first rights that it is given: a new one is set by a mail, or by the link in `meta.password_setup`. Naming the role again makes another such way for somebody who has not set a password yet.',
  recentLogin: true,
  bodyOptional: true,
  body: () => z.object({ role: z.optional(Role()), doctor_id: z.optional(doctorId()) }),
  returns: { 200: { description: 'Changed.', data: Person, meta: setupMeta, message: 'changed' } },
  fails: ['last_admin', 'email_missing'],
});

export const DeactivatePerson = endpoint({
  ...common,
  method: 'post',
  path: `${path}/{id}/deactivate`,
  summary: "Shut a person's account",
  description:
    'Ends every login of the person from the next request on; then a login is answered as a wrong password is. Bookings and records stay. The last admin stays open.',
  idempotent: true,
  returns: {
    200: {
      description: 'Shut.',
      data: Person,
      message: {
        id: 'Akun telah dinonaktifkan dan keluar dari semua perangkat.',
        en: 'The account was shut and logged out of all devices.',
      },
    },
  },
  fails: ['last_admin'],
});

export const ReactivatePerson = endpoint({
  ...common,
  method: 'post',
  path: `${path}/{id}/reactivate`,
  summary: 'Open the account again',
  description: 'With the password and the second factor that it had.',
  idempotent: true,
  returns: {
    200: {
      description: 'Open.',
      data: Person,
      message: { id: 'Akun telah diaktifkan kembali.', en: 'The account was opened again.' },
    },
  },
});

export const ChangePersonEmail = endpoint({
  ...common,
  method: 'post',
  path: `${path}/{id}/email`,
  summary: "Begin a change of a person's e-mail",
  description:
    'A code is mailed to the new e-mail, and word of it to the present one. The person enters the code (`POST /v1/auth/email/change/verify`); until then the present one stays the login. The answer is the same where somebody has the new e-mail.',
  recentLogin: true,
  idempotent: true,
  body: () => z.object({ email: described(email(), 'The new one.', { example: 'putri@klinik.example' }) }),
  returns: { 202: { description: 'A mail is on its way.', message: 'email_change_sent' } },
});
