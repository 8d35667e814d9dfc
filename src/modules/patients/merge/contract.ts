import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { described, idParam, uuid } from '../../../core/endpoint/fields.ts';
import { once } from '../../../core/endpoint/once.ts';
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
    'The record that stays keeps what it has and takes what it lacks; the notes of the clinic are joined. Bookings and relations move to it, each booking with an event of its own, and the id of the merged record leads to it from then on. A merge that was cut off goes on when it is asked again.',
  params: idParam,
  idempotent: true,
  body: () =>
    z.object({
      into: described(uuid(), 'The record that stays.', { example: 'd0c70000-0000-4000-8000-000000003004' }),
      dry_run: described(z.optional(z.boolean()), 'Tells what would happen, and changes nothing.'),
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
          dry_run: described(z.boolean(), 'Whether nothing was changed.'),
        }),
      message: 'patient_merged',
      headers: ['Idempotency-Replayed'],
    },
  },
  fails: ['merge_conflict', 'patient_has_account', 'patient_merged'],
});
