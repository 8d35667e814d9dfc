import * as z from 'zod/mini';
import { endpoint } from '../../endpoint/endpoint.ts';
import {
  described,
  idParam,
  lineOrEmpty,
  localDate,
  localTime,
  named,
  pageMeta,
  pageQuery,
  paging,
  searchText,
  uuid,
} from '../../endpoint/fields.ts';
import { approvals } from '../../tables/words.ts';

export const Doctor = named('Doctor', () => ({
  id: uuid(),
  name: z.string(),
  title: described(z.string(), 'Such as `dr.`; may be empty.'),
  specialty: z.string(),
}));

export const Approval = () => z.enum(approvals);

export const Session = named('Session', () => ({
  id: uuid(),
  name: z.string(),
  approval: described(
    Approval(),
    '`manual`: a booking waits until the clinic approves it. `automatic`: it is approved at once.',
  ),
}));

export const ClosedReason = () => z.enum(['full', 'past', 'too_soon', 'too_far', 'leave', 'holiday']);

export const Slot = named('Slot', () => ({
  schedule_date: localDate(),
  schedule_time: localTime(),
  session_id: uuid(),
  session_name: z.string(),
  room: described(z.string(), 'Where the patients are called to; may be empty.'),
  capacity: z.int(),
  remaining: described(z.int(), 'Seats that are still free.'),
  reason: described(z.optional(ClosedReason()), 'Why the slot cannot be booked; absent on a slot that can.'),
}));

const atWork = 'Dokter masih menangani pasien gawat.';

/** What a doctor lets the patients of a date know. */
export const noticeFields = () => ({
  date: localDate(),
  delay_minutes: described(z.int().check(z.minimum(0), z.maximum(480)), 'How late the doctor is.', {
    example: 30,
  }),
  message: described(z._default(lineOrEmpty(200), ''), 'In words; may be empty.', { example: atWork }),
});

export const Notice = named('Notice', () => ({
  date: localDate(),
  delay_minutes: described(z.int(), 'How late the doctor is.', { example: 30 }),
  message: described(z.string(), 'In words; may be empty.', { example: atWork }),
}));

export const ListDoctors = endpoint({
  method: 'get',
  path: '/v1/doctors',
  tag: 'catalog',
  summary: 'Doctors who can be booked',
  access: 'public',
  query: () =>
    z.object({
      ...paging(),
      q: described(
        z.optional(searchText()),
        'Beginnings of words of title, name and specialty, in any order; case and accents do not matter.',
      ),
      session_id: described(z.optional(uuid()), 'Only doctors who offer this session now or later.'),
    }),
  returns: {
    200: {
      description: 'A page of doctors by name.',
      data: () => z.array(Doctor()),
      meta: pageMeta,
      headers: ['ETag', 'Link'],
    },
  },
  fails: [],
});

export const GetDoctor = endpoint({
  method: 'get',
  path: '/v1/doctors/{id}',
  tag: 'catalog',
  summary: 'One doctor',
  access: 'public',
  params: idParam,
  returns: { 200: { description: 'The doctor.', data: Doctor, headers: ['ETag'] } },
  fails: [],
});

export const ListSessions = endpoint({
  method: 'get',
  path: '/v1/sessions',
  tag: 'catalog',
  summary: 'Sessions that are offered',
  access: 'public',
  query: pageQuery,
  returns: {
    200: {
      description: 'A page of sessions by name.',
      data: () => z.array(Session()),
      meta: pageMeta,
      headers: ['ETag', 'Link'],
    },
  },
  fails: [],
});

export const ListSlots = endpoint({
  method: 'get',
  path: '/v1/doctors/{id}/slots',
  tag: 'catalog',
  summary: "A doctor's slots",
  description: 'At most 31 days. Every slot that is listed without a reason can be booked, and no other.',
  access: 'public',
  params: idParam,
  query: () =>
    z.object({
      from: described(z.optional(localDate()), 'The first date; today unless set.'),
      to: described(
        z.optional(localDate()),
        'The last date; six days after `from` unless set. With `from` at most 31 days, both included.',
      ),
      session_id: z.optional(uuid()),
      include: described(
        z.optional(z.enum(['unavailable'])),
        'Lists closed slots too, each with its reason.',
      ),
    }),
  returns: {
    200: {
      description: 'The slots in the order of their starts.',
      data: () => z.array(Slot()),
      meta: () =>
        z.object({
          time_zone: described(
            z.string(),
            "The clinic's IANA time zone, in which dates and times are given.",
          ),
          notices: described(z.array(Notice()), 'What the doctor lets the patients of these dates know.'),
          next_available: described(z.nullable(Slot()), 'The first bookable slot after an empty range.'),
        }),
      headers: ['ETag'],
    },
  },
  fails: [],
});
