import * as z from 'zod';
import { endpoint } from '../../endpoint.ts';
import { localDate, localTime, oneLine, pageMeta, paging, uuid } from '../../fields.ts';

export const Doctor = z
  .object({
    id: uuid,
    name: z.string(),
    title: z.string().describe('Such as `dr.`; may be empty.'),
    specialty: z.string(),
  })
  .meta({ id: 'Doctor' });

export const Session = z.object({ id: uuid, name: z.string() }).meta({ id: 'Session' });

export const ClosedReason = z.enum(['full', 'past', 'too_soon', 'too_far', 'leave', 'holiday']);

export const Slot = z
  .object({
    schedule_date: localDate,
    schedule_time: localTime,
    session_id: uuid,
    session_name: z.string(),
    capacity: z.int(),
    remaining: z.int().describe('Seats that are still free.'),
    reason: ClosedReason.optional().describe('Why the slot cannot be booked; absent on a slot that can.'),
  })
  .meta({ id: 'Slot' });

export const ListDoctors = endpoint({
  method: 'get',
  path: '/v1/doctors',
  tag: 'catalog',
  summary: 'Doctors who can be booked',
  access: 'public',
  query: z.object({
    ...paging,
    q: oneLine(100).optional().describe('The beginning of a name.'),
    session_id: uuid.optional().describe('Only doctors who offer this session.'),
  }),
  returns: { 200: { description: 'A page of doctors by name.', data: z.array(Doctor), meta: pageMeta, headers: ['ETag', 'Link'] } },
  fails: ['invalid_query', 'unavailable'],
});

export const GetDoctor = endpoint({
  method: 'get',
  path: '/v1/doctors/{id}',
  tag: 'catalog',
  summary: 'One doctor',
  access: 'public',
  params: z.object({ id: uuid }),
  returns: { 200: { description: 'The doctor.', data: Doctor, headers: ['ETag'] } },
  fails: ['not_found', 'unavailable'],
});

export const ListSessions = endpoint({
  method: 'get',
  path: '/v1/sessions',
  tag: 'catalog',
  summary: 'Sessions that are offered',
  access: 'public',
  query: z.object({ ...paging }),
  returns: { 200: { description: 'A page of sessions by name.', data: z.array(Session), meta: pageMeta, headers: ['ETag', 'Link'] } },
  fails: ['invalid_query', 'unavailable'],
});

export const ListSlots = endpoint({
  method: 'get',
  path: '/v1/doctors/{id}/slots',
  tag: 'catalog',
  summary: "A doctor's slots",
  description: 'At most 31 days. Every slot that is listed without a reason can be booked, and no other.',
  access: 'public',
  params: z.object({ id: uuid }),
  query: z.object({
    from: localDate.optional().describe('The first date; today unless set.'),
    to: localDate.optional().describe('The last date; six days after `from` unless set.'),
    session_id: uuid.optional(),
    include: z.enum(['unavailable']).optional().describe('Lists closed slots too, each with its reason.'),
  }),
  returns: {
    200: {
      description: 'The slots in the order of their starts.',
      data: z.array(Slot),
      meta: z.object({
        time_zone: z.string().describe("The clinic's IANA time zone, in which dates and times are given."),
        next_available: Slot.nullable().describe('The first bookable slot after an empty range.'),
      }),
      headers: ['ETag'],
    },
  },
  fails: ['invalid_query', 'not_found', 'unavailable'],
});
