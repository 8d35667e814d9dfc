import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { described, localDate, named, searchText, utcInstant, uuid } from '../../../core/endpoint/fields.ts';
import {
  commaSeparated,
  externalIdFilter,
  pageMeta,
  paging,
  queryNumber,
  updatedSince,
} from '../../../core/endpoint/query-fields.ts';
import { bookingStatuses } from '../../../core/tables/words.ts';
import { PreviousSlot } from '../record/event-payload.ts';
import { actingRole, ClinicBooking } from '../record/shapes.ts';
import { confirmations, listedVisits } from './rules.ts';

const common = { method: 'get', tag: 'clinic', access: ['staff', 'doctor', 'admin'] } as const;

const BookingCounts = named('BookingCounts', () => {
  const count = (description: string) => described(z.int(), description, { example: 3 });
  return {
    waiting: count('Waiting for approval.'),
    approved: count('Approved, however far the visit came.'),
    canceled: count('Canceled.'),
    expected: count('They stand, and the patient has not come yet.'),
    checked_in: count('Here, and not called yet.'),
    called: count('Called, and not completed yet.'),
    completed: count('Completed.'),
    no_show: count('The patient did not come.'),
    unanswered: count('Expected, and a reminder has asked whether they come, without an answer.'),
  };
});

const sequence = (description: string) => described(z.int(), description, { example: 1042 });

export const ListBookings = endpoint({
  ...common,
  scope: 'bookings:read',
  path: '/v1/bookings',
  discloses: 'list',
  summary: 'The bookings of a day, or of a range of days',
  description:
    'In the order of their starts. A doctor sees the own ones. `meta.counts` counts all that the other filters leave, whatever `status` and `visit` say; `meta.sequence` is where `GET /v1/bookings/changes` goes on.',
  query: () =>
    z.object({
      ...paging(),
      date: described(
        z.optional(localDate()),
        'Today unless set, or `from` and `to`; without any of them a whole booking code in `q` is found on any date.',
      ),
      from: described(
        z.optional(localDate()),
        'The first date; without `to` the only one. Not together with `date`.',
      ),
      to: described(
        z.optional(localDate()),
        'The last date, at most 91 days after `from`; without `from` the only one.',
      ),
      doctor_id: z.optional(uuid()),
      session_id: z.optional(uuid()),
      patient_id: z.optional(uuid()),
      updated_since: updatedSince(),
      status: described(
        z.optional(commaSeparated(bookingStatuses)),
        'Any of these states: repeated (`status=waiting&status=approved`) or with commas (`status=waiting,approved`).',
      ),
      visit: described(
        z.optional(commaSeparated(listedVisits)),
        'Any of these, repeated or with commas, of the bookings that stand; `expected` is who has not come yet.',
      ),
      confirmation: described(
        z.optional(z.enum(confirmations)),
        '`unanswered`: whom a reminder asked whether they come, who are expected and have not answered; `confirmed`: who said that they come.',
      ),
      external_id: externalIdFilter('On any date, unless one is named. Not together with `q`.'),
      q: described(
        z.optional(searchText()),
        "Beginnings of the patient's name, a part of the phone number, or the booking code.",
      ),
      order: described(
        z.optional(z.enum(['asc', 'desc'])),
        'By the start: `asc`, the earliest first, unless set; `desc`, the latest first.',
      ),
    }),
  returns: {
    200: {
      description: 'A page of bookings.',
      data: () => z.array(ClinicBooking()),
      meta: () =>
        z.object({
          ...pageMeta().shape,
          counts: described(
            BookingCounts(),
            'By state, of all pages; `status` and `visit` do not narrow it.',
          ),
          sequence: sequence('The last event that this list has seen: `after` of the changes.'),
        }),
      headers: ['ETag'],
    },
  },
});

export const BookingChange = named('BookingChange', () => ({
  sequence: sequence("The event's place in the order of all changes."),
  type: described(z.string(), 'What happened, such as `booking.approved`.', { example: 'booking.approved' }),
  at: described(utcInstant(), 'When it happened.'),
  by: described(actingRole(), 'In which role it was done.'),
  booking_id: uuid(),
  gone: described(
    z.boolean(),
    'The caller sees this booking no longer: a doctor, once it is with another one.',
  ),
  booking: described(
    z.nullable(ClinicBooking()),
    'As it is now, which may be newer than the event; null once it is gone.',
  ),
  previous: described(z.nullable(PreviousSlot()), 'The slot before a move; null in every other event.', {
    example: null,
  }),
}));

export const ListBookingChanges = endpoint({
  ...common,
  scope: 'events:read',
  path: '/v1/bookings/changes',
  discloses: 'list',
  summary: 'What happened to bookings since',
  description:
    'One item an event, in order, each with the booking as it is now; a doctor sees what concerns the own ones. Nothing is left out: no change ever takes a number below one that was seen. Ask again with `after` = `meta.sequence`, at once while `meta.more` is true.',
  query: () =>
    z.object({
      after: described(
        queryNumber(0, Number.MAX_SAFE_INTEGER),
        '`meta.sequence` of the list or of the changes before.',
        { example: 0 },
      ),
      limit: paging().limit,
    }),
  returns: {
    200: {
      description: 'The changes, the earliest first.',
      data: () => z.array(BookingChange()),
      meta: () =>
        z.object({
          sequence: sequence('Where to go on, also when no item was for the caller.'),
          more: described(z.boolean(), 'Whether more may follow now.'),
        }),
    },
  },
  fails: ['changes_gone'],
});
