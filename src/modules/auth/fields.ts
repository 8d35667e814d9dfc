import * as z from 'zod/mini';
import { recordFields } from '../../core/db/record-fields.ts';
import { countryCode, described, name, phoneNumber, uuid } from '../../core/endpoint/fields.ts';
import { users } from '../../core/tables/accounts.ts';

const keptDigits = () => described(z.string(), 'Digits, kept as text.');

/** The profile of an account. E-mail and device are written by the endpoints that prove them. */
export const profileFields = recordFields(
  users,
  [
    'passwordHash',
    'role',
    'doctorId',
    'emailProvedAt',
    'loginPhone',
    'phoneProvedAt',
    'invitedAt',
    'passwordUnsetAt',
    'secondFactorAt',
    'ssoSubject',
    'deactivatedAt',
    'createdAt',
    'updatedAt',
  ],
  {
    id: { answer: uuid, meaning: 'Assigned by the service.' },
    name: { write: name, answer: () => described(z.string(), 'As given at registration.') },
    phoneNumber: { write: phoneNumber, answer: keptDigits },
    phoneCountryCode: { write: countryCode, answer: keptDigits },
    email: {
      answer: () => z.nullable(z.string()),
      meaning:
        'The login identifier, in lower case; null for an account that was made by a code to a phone and has none yet.',
    },
    deviceId: { answer: z.string, meaning: 'May be empty.' },
  },
);

/** A user as the interface shows one. */
export type User = z.output<z.ZodMiniObject<ReturnType<typeof profileFields.answer>>>;
