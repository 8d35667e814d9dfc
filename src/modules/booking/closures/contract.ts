import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { described, localDate, localTime, named, uuid } from '../../../core/endpoint/fields.ts';
import { clinicPeople } from '../../catalog/shapes.ts';

const Resolved = named('ResolvedBooking', () => ({
  booking_id: uuid(),
  result: described(
    z.enum(['canceled', 'moved', 'no_slot']),
    'What became of it; `no_slot`: no slot is open within 31 days, or it cannot be moved any more, and it was left as it is.',
  ),
  moved_to: described(
    z.nullable(z.object({ doctor_id: uuid(), schedule_date: localDate(), schedule_time: localTime() })),
    'Where it was moved to; null unless it was.',
  ),
}));

export const ResolveClosure = endpoint({
  method: 'post',
  path: '/v1/admin/closures/{id}/resolve',
  tag: 'admin',
  summary: 'Cancel or move the bookings under a closure',
  description:
    'Each booking by itself, with an event of its own: canceled with the reason `closure`, or moved to the next open slot of the same session that does not begin before the one it had (the same day first, then the following days; with `to_doctor_id` the same start if it is free, else the next), not before the patients’ notice and not onto another booking of the patient. At most 50 are changed by a call, and none that others change meanwhile; asked again it goes on where it stopped. Leave by the reception, the doctor or an admin; holidays by an admin alone.',
  access: clinicPeople,
  scope: 'bookings:write',
  idempotent: true,
  body: () =>
    z.object({
      action: described(z.enum(['cancel', 'move']), 'What is done with them.', { example: 'move' }),
      to_doctor_id: described(
        z.optional(uuid()),
        'To whom they are moved; to another slot of the same doctor unless set.',
        { example: 'd0c70000-0000-4000-8000-000000001003' },
      ),
      dry_run: described(z._default(z.boolean(), false), 'Says what would be done, and does nothing.'),
    }),
  returns: {
    200: {
      description: 'What became of each booking.',
      data: () => z.array(Resolved()),
      meta: () =>
        z.object({
          remaining: described(z.int(), 'How many bookings wait for the next call.', { example: 0 }),
        }),
      message: {
        id: 'Janji temu pada waktu tutup ini telah diproses.',
        en: 'The bookings under this closure were dealt with.',
      },
    },
  },
  fails: ['doctor_not_found'],
});
