import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { described, localDate, localTime, named, utcInstant, uuid } from '../../../core/endpoint/fields.ts';
import { pageMeta, pageQuery, paging } from '../../../core/endpoint/query-fields.ts';
import { waitlistEnds } from '../../../core/tables/words.ts';
import { BookedPatient, BookingDetail } from '../record/shapes.ts';

const path = '/v1/waitlist';

const Offer = named('WaitlistOffer', () => ({
  booking_id: described(uuid(), 'The booking that holds the seat, and stays the same when it is accepted.'),
  doctor_id: uuid(),
  doctor_name: z.string(),
  schedule_date: localDate(),
  schedule_time: localTime(),
  ends_at: utcInstant(),
  held_until: described(utcInstant(), 'Until when it can be accepted; afterwards it goes to the next.'),
}));

export const wantedSlotFields = () => ({
  session_id: uuid(),
  doctor_id: described(z.nullable(uuid()), 'Null where any doctor of the session will do.'),
  from: described(localDate(), 'The first date that would do.'),
  to: described(localDate(), 'The last date that would do.'),
  earliest_time: described(z.nullable(localTime()), 'From when on a slot may begin; null for any time.'),
  latest_time: described(z.nullable(localTime()), 'Until when a slot may begin; null for any time.'),
});

const entryShape = () => ({
  id: uuid(),
  patient: BookedPatient(),
  session_name: z.string(),
  doctor_name: z.nullable(z.string()),
  ...wantedSlotFields(),
  created_at: utcInstant(),
  ended_as: described(
    z.nullable(z.enum(waitlistEnds)),
    'Null while it waits; `unanswered` after three offers in a row that nobody answered.',
    { example: null },
  ),
  offer: described(z.nullable(Offer()), 'The seat that is held for the patient now; null without one.'),
});

export const WaitlistEntry = named('WaitlistEntry', entryShape);

const own = { tag: 'bookings', access: 'bearer' } as const;
const clinics = { tag: 'clinic', access: ['staff', 'admin'] } as const;

export const JoinWaitlist = endpoint({
  ...own,
  scope: 'bookings:write',
  method: 'post',
  path,
  summary: 'Wait for a seat',
  description:
    'For oneself or one of the family, by the clinic for any patient. A seat that comes free is offered to the first whom it suits. At most 10 at a time for each account, and within 92 days.',
  idempotent: true,
  body: () => {
    const { doctor_id, earliest_time, latest_time, ...whole } = wantedSlotFields();
    return z.object({
      ...whole,
      doctor_id: z.optional(doctor_id),
      earliest_time: z.optional(earliest_time),
      latest_time: z.optional(latest_time),
      patient_id: described(
        z.optional(uuid()),
        'One of the family; the clinic names any patient. The caller unless set.',
      ),
    });
  },
  returns: { 201: { description: 'Added.', data: WaitlistEntry, message: 'created', headers: ['Location'] } },
  fails: ['session_not_offered', 'already_waiting', 'waitlist_full'],
});

export const ListWaitlist = endpoint({
  ...own,
  method: 'get',
  path,
  discloses: 'own',
  summary: 'What the caller and the family wait for',
  description:
    'The earliest entry first; each has what it is offered. One of which three offers in a row were not answered ends: it is listed as `unanswered` for 30 days, or until it is removed.',
  query: pageQuery,
  returns: {
    200: { description: 'A page of entries.', data: () => z.array(WaitlistEntry()), meta: pageMeta },
  },
});

export const LeaveWaitlist = endpoint({
  ...own,
  scope: 'bookings:write',
  method: 'delete',
  path: `${path}/{id}`,
  summary: 'Wait no more',
  description:
    'A seat that is held is declined with it. An entry that ended as `unanswered` is listed no more.',
  returns: { 200: { description: 'Removed.', message: 'deleted' } },
});

const answering = {
  ...own,
  scope: 'bookings:write',
  method: 'post',
  idempotent: true,
  bodyOptional: true,
  body: () =>
    z.object({
      booking_id: described(
        z.optional(uuid()),
        'The offer that is meant: refused with `no_offer` where another one is open by now.',
      ),
    }),
} as const;

export const AcceptOffer = endpoint({
  ...answering,
  path: `${path}/{id}/accept`,
  summary: 'Accept the seat that is offered',
  description: 'It takes its queue number now. The limits of bookings hold.',
  returns: {
    200: {
      description: 'It is a booking.',
      data: BookingDetail,
      message: {
        id: 'Tawaran diterima. Ini janji temu Anda.',
        en: 'The offer was accepted. This is your booking.',
      },
    },
  },
  fails: ['no_offer', 'too_many_bookings', 'email_unproved', 'slot_unavailable'],
});

export const DeclineOffer = endpoint({
  ...answering,
  path: `${path}/{id}/decline`,
  summary: 'Decline the seat that is offered',
  description:
    'The entry waits on, for other slots. To cancel the booking that holds the seat does the same.',
  returns: {
    200: {
      description: 'Declined.',
      message: {
        id: 'Tawaran ditolak. Anda tetap berada di daftar tunggu.',
        en: 'The offer was declined. You stay on the waitlist.',
      },
    },
  },
  fails: ['no_offer'],
});

export const ListWaiting = endpoint({
  ...clinics,
  scope: 'bookings:read',
  method: 'get',
  path: '/v1/admin/waitlist',
  discloses: 'list',
  summary: 'Everybody who waits',
  description: 'By session, in the order in which seats are offered.',
  query: () =>
    z.object({
      ...paging(),
      session_id: described(z.optional(uuid()), 'Every session unless set.'),
    }),
  returns: {
    200: { description: 'A page of entries.', data: () => z.array(WaitlistEntry()), meta: pageMeta },
  },
});

export const OrderWaitlist = endpoint({
  ...clinics,
  method: 'post',
  path: '/v1/admin/waitlist/{id}/move',
  summary: 'Put an entry before another',
  description: 'Among those who wait for the same session. Who did it and why stays in the audit trail.',
  idempotent: true,
  body: () =>
    z.object({
      before_id: described(z.nullable(uuid()), 'The entry that it stands before; null for the end.', {
        example: null,
      }),
      reason: described(z.enum(['urgent', 'agreed', 'mistake', 'other']), 'Why the order changes.', {
        example: 'urgent',
      }),
    }),
  returns: { 200: { description: 'Moved.', message: 'changed' } },
});
