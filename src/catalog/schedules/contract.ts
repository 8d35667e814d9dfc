import * as z from 'zod/mini';
import { endpoint } from '../../endpoint/endpoint.ts';
import {
  described,
  endTime,
  idParam,
  lineOrEmpty,
  localDate,
  named,
  startTime,
  uuid,
} from '../../endpoint/fields.ts';
import { pageMeta, paging } from '../../endpoint/query-fields.ts';
import { active, adminOnly, changing, clinicPeople, record } from '../shapes.ts';

const fields = () => ({
  weekday: described(z.int().check(z.minimum(1), z.maximum(7)), '1 Monday … 7 Sunday.'),
  start_time: described(startTime(), "In the clinic's time zone, on a whole minute."),
  end_time: described(
    endTime(),
    'After the start, at most 24:00:00: hours past midnight are a second schedule.',
  ),
  slot_minutes: described(z.int().check(z.minimum(5), z.maximum(1_440)), 'No longer than the schedule.'),
  capacity: described(z.int().check(z.minimum(1), z.maximum(1_000)), 'How many patients share a slot.'),
});

const room = () => described(lineOrEmpty(50), 'Where the patients are called to; may be empty.');
const validFrom = () => described(z.nullable(localDate()), 'The first date it holds on; null from ever.');
const validUntil = () => described(z.nullable(localDate()), 'The last date it holds on; null for good.');

const Schedule = named('Schedule', () => ({
  id: uuid(),
  doctor_id: uuid(),
  session_id: uuid(),
  ...fields(),
  room: room(),
  valid_from: validFrom(),
  valid_until: validUntil(),
  active: active(),
  ...record(),
}));

const path = '/v1/admin/schedules';
const common = { tag: 'admin', access: adminOnly } as const;

export const ListSchedules = endpoint({
  ...common,
  scope: 'catalog:read',
  method: 'get',
  path,
  access: clinicPeople,
  discloses: 'nothing',
  summary: 'Weekly schedules, retired ones too',
  description: 'A doctor sees the own.',
  query: () => z.object({ ...paging(), doctor_id: z.optional(uuid()) }),
  returns: {
    200: {
      description: 'A page by doctor, weekday and start.',
      data: () => z.array(Schedule()),
      meta: pageMeta,
      headers: ['Link'],
    },
  },
  fails: [],
});

export const CreateSchedule = endpoint({
  ...common,
  scope: 'catalog:write',
  method: 'post',
  path,
  summary: 'Add a weekly schedule',
  description: 'Two schedules of one doctor may not overlap in weekday, hours and validity.',
  idempotent: true,
  body: () =>
    z.object({
      doctor_id: uuid(),
      session_id: uuid(),
      ...fields(),
      capacity: z._default(fields().capacity, 1),
      room: z._default(room(), ''),
      valid_from: z._default(validFrom(), null),
      valid_until: z._default(validUntil(), null),
    }),
  returns: {
    201: {
      description: 'Added.',
      data: Schedule,
      message: 'created',
      headers: ['Location', 'Idempotency-Replayed'],
    },
  },
  fails: ['schedule_overlap'],
});

export const GetSchedule = endpoint({
  ...common,
  scope: 'catalog:read',
  method: 'get',
  path: `${path}/{id}`,
  access: clinicPeople,
  discloses: 'nothing',
  summary: 'One weekly schedule',
  params: idParam,
  returns: { 200: { description: 'The schedule.', data: Schedule } },
  fails: [],
});

export const ChangeSchedule = endpoint({
  ...common,
  scope: 'catalog:write',
  method: 'patch',
  path: `${path}/{id}`,
  summary: 'Change, retire or reinstate a weekly schedule',
  description: 'Cancels no booking. A lowered capacity holds for new bookings.',
  params: idParam,
  bodyOptional: true,
  body: () =>
    z.object({
      session_id: z.optional(uuid()),
      weekday: z.optional(fields().weekday),
      start_time: z.optional(fields().start_time),
      end_time: z.optional(fields().end_time),
      slot_minutes: z.optional(fields().slot_minutes),
      capacity: z.optional(fields().capacity),
      room: z.optional(room()),
      valid_from: z.optional(validFrom()),
      valid_until: z.optional(validUntil()),
      active: z.optional(active()),
      ...changing(),
    }),
  returns: { 200: { description: 'Changed.', data: Schedule, message: 'changed' } },
  fails: ['schedule_overlap', 'version_mismatch'],
});

export const RetireSchedule = endpoint({
  ...common,
  scope: 'catalog:write',
  method: 'delete',
  path: `${path}/{id}`,
  summary: 'Retire a weekly schedule',
  description: 'Its slots are gone; bookings stay.',
  params: idParam,
  returns: { 200: { description: 'Retired.', data: Schedule, message: 'retired' } },
  fails: [],
});
