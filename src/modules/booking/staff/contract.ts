import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { described, localDate, uuid } from '../../../core/endpoint/fields.ts';
import { mayBeKept } from '../../../core/endpoint/kept.ts';
import type { MessageKey } from '../../../core/endpoint/messages.ts';
import { BookingDetail, change, changeWithReason } from '../record/shapes.ts';

const clinicRoles = ['staff', 'doctor', 'admin'] as const;

/** A change of a booking that only the clinic makes: before the visit, or of the visit itself. */
const clinicVerb = <const V extends string, const M extends MessageKey, B extends z.ZodMiniObject>(
  scope: 'bookings:write' | 'queue:write',
  verb: V,
  summary: string,
  description: string,
  message: M,
  body: () => B,
) =>
  endpoint({
    method: 'post',
    path: `/v1/bookings/{id}/${verb}` as const,
    tag: 'clinic',
    summary,
    description,
    access: clinicRoles,
    scope,
    idempotent: true,
    bodyOptional: true,
    body,
    returns: { 200: { description: 'Done.', data: BookingDetail, message } },
    fails: ['invalid_transition', 'version_mismatch'],
  });

export const ApproveBooking = clinicVerb(
  'bookings:write',
  'approve',
  'Approve a booking',
  'A waiting one, until its slot ends.',
  'booking_approved',
  change,
);
export const RejectBooking = clinicVerb(
  'bookings:write',
  'reject',
  'Reject a waiting booking',
  'Its seat is free at once.',
  'booking_rejected',
  changeWithReason,
);
export const CheckInBooking = clinicVerb(
  'queue:write',
  'check-in',
  'Check the patient in',
  'On its day; a waiting one is approved by it, until its slot ends.',
  'booking_checked_in',
  change,
);
export const CallBooking = clinicVerb(
  'queue:write',
  'call',
  'Call the patient, again if need be',
  'After check-in.',
  'booking_called',
  change,
);
export const SkipBooking = clinicVerb(
  'queue:write',
  'skip',
  'Let others go first',
  'Of somebody who was called and did not come: waits again, behind the next two who are there, or behind the last.',
  'booking_skipped',
  change,
);
export const CompleteBooking = clinicVerb(
  'queue:write',
  'complete',
  'Complete the visit',
  'After check-in, called or not.',
  'booking_completed',
  change,
);
export const NoShowBooking = clinicVerb(
  'queue:write',
  'no-show',
  'Record that the patient did not come',
  'An approved one, from its start on; after a check-in too, of somebody who went away (`reason_code` `left`).',
  'booking_no_show',
  change,
);
export const UndoBooking = clinicVerb(
  'queue:write',
  'undo',
  'Take back the last step of a visit',
  'Check-in, call, completion or no-show, on the same clinic day. Of a repeated call one is taken back. `version` is required: a double tap would undo two steps.',
  'booking_undone',
  () => z.object({ version: described(z.int(), 'The version that shows the step to be taken back.') }),
);

export const GetQueue = endpoint({
  method: 'get',
  path: '/v1/doctors/{id}/queue',
  tag: 'catalog',
  summary: 'The queue of a day',
  description: `Numbers only, so that a screen in the waiting room may show it. ${mayBeKept}`,
  access: 'public',
  query: () =>
    z.object({
      date: described(z.optional(localDate()), 'Today unless set.'),
      session_id: described(z.optional(uuid()), 'Every session of the doctor unless set.'),
    }),
  returns: {
    200: {
      description: 'How far the queue is.',
      data: () =>
        z.object({
          doctor_id: uuid(),
          session_id: z.nullable(uuid()),
          date: localDate(),
          total: described(z.int(), 'Bookings that stand.'),
          called: described(
            z.nullable(z.int()),
            'The number of the last who was called and has not left; null where nobody is in the room.',
          ),
          remaining: described(z.int(), 'Those who were neither called nor recorded as absent.'),
          minutes_per_visit: described(
            z.nullable(z.number()),
            "The median of the day's visits from call to end; null before the first.",
          ),
          estimated_waiting_minutes: described(
            z.nullable(z.int()),
            'Until everybody who remains was called; null before the first visit is over.',
          ),
        }),
      headers: ['ETag'],
    },
  },
});
