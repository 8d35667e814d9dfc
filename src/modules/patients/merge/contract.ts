import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { described, uuid } from '../../../core/endpoint/fields.ts';
import { once } from '../../../core/endpoint/once.ts';
import { birthDateAgreements, waysIn } from './join-rules.ts';
import { mergedFields } from './rules.ts';

const path = '/v1/patients/{id}';
const common = { tag: 'patients', access: ['staff', 'admin'] } as const;
const fieldNames = once(() => z.array(z.enum(mergedFields)));

export const MergePatient = endpoint({
  ...common,
  method: 'post',
  path: `${path}/merge`,
  summary: 'Merge a record into another one of the same patient',
  description:
    'The record that stays keeps what it has and takes what it lacks; the notes of the clinic are joined. Bookings and relations move to it, each booking with an event of its own, and the id of the merged record leads to it from then on. A merge that was cut off goes on when asked again. A record with an account is merged only into another one with an account, with `join_accounts` and a login of the last 10 minutes, after the desk has seen the person: the account of the merged record ends with its devices, password, second factors, calendar addresses and codes; family, consents and waitlist entries go to the other account, which also gets its proved e-mail or phone where it has none itself. All proved addresses are told. Refused are accounts of people who work here (`patient_works_here`), deactivated ones (`account_deactivated`), and one to stay whose e-mail nobody has proved (`account_unproved`; where mail can leave).',
  recentLogin: ['join_accounts'],
  idempotent: true,
  body: () =>
    z.object({
      into: described(uuid(), 'The record that stays.', { example: 'd0c70000-0000-4000-8000-000000003004' }),
      dry_run: described(z.optional(z.boolean()), 'Tells what would happen, and changes nothing.'),
      join_accounts: described(
        z.optional(z.boolean()),
        'Both have an account of the same person: that of the merged record ends. Not needed for `dry_run`.',
      ),
      confirm: described(
        z.optional(z.boolean()),
        'The accounts are joined although the dates of birth are not known to be the same.',
      ),
    }),
  returns: {
    200: {
      description: 'Merged, or what a merge would do.',
      data: () =>
        z.object({
          id: described(uuid(), 'The record that stays.'),
          merged_id: described(uuid(), 'The record that leads to it now.', {
            example: '7d1f2a3b-4c5d-4e6f-8a7b-9c0d1e2f3a4b',
          }),
          bookings: described(z.int(), 'How many bookings move.', { example: 3 }),
          relations: described(z.int(), 'How many accounts that act for the patient move with them.', {
            example: 1,
          }),
          taken: described(fieldNames(), 'What the record that stays takes over, since it lacked it.'),
          differing: described(fieldNames(), 'In what both differ: the record that stays keeps its own.'),
          accounts: described(
            z.nullable(
              z.object({
                taken: described(
                  z.array(z.enum(waysIn)),
                  'The proved ways in that the account that stays takes over, since it has none.',
                ),
                email: described(z.nullable(z.string()), 'The e-mail that is taken over, if one is.', {
                  example: null,
                }),
                login_phone: described(
                  z.nullable(z.string()),
                  'The phone for login codes that is taken over, if one is, in E.164.',
                  { example: '+6281234567890' },
                ),
                birth_dates: described(
                  z.enum(birthDateAgreements),
                  'Whether both have the same date of birth; `unknown` where one has none. All but `same` needs `confirm`.',
                  { example: 'same' },
                ),
              }),
            ),
            'How the accounts of both become one; null where the merged record has none.',
          ),
          dry_run: described(z.boolean(), 'Whether nothing was changed.'),
        }),
      message: 'patient_merged',
    },
  },
  fails: [
    'merge_conflict',
    'patient_has_account',
    'patient_merged',
    'patient_works_here',
    'account_deactivated',
    'account_unproved',
    'birth_dates_differ',
  ],
});
