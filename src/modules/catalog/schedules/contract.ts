import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { described, endTime, localDate, localTime, named, uuid } from '../../../core/endpoint/fields.ts';
import { pageMeta, paging } from '../../../core/endpoint/query-fields.ts';
import { scheduleFields } from '../fields/schedules.ts';
import { active, affectedMeta, catalogRead, catalogWrite, changing, record } from '../shapes.ts';

const Schedule = named('Schedule', () => ({
  id: uuid(),
  doctor_id: uuid(),
  ...scheduleFields.answer(),
  active: active(),
  ...record(),
}));

export const RoomSharing = named('RoomSharing', () => ({
  schedule_id: described(uuid(), 'The schedule.', { example: 'd0c70000-0000-4000-8000-000000004001' }),
  doctor_id: uuid(),
  doctor_name: z.string(),
  weekday: z.int(),
  start_time: localTime(),
  end_time: endTime(),
}));

const sharedWith = () =>
  described(
    z.array(RoomSharing()),
    'The schedules of other doctors that have the room at the same time; at most 20. Rooms are the same whatever the case.',
  );

export const changedMeta = () => z.object({ ...affectedMeta().shape, room_shared_with: sharedWith() });

const path = '/v1/admin/schedules';

export const ListSchedules = endpoint({
  ...catalogRead,
  method: 'get',
  path,
  summary: 'Weekly schedules, retired ones too',
  description: 'A doctor sees the own.',
  query: () => z.object({ ...paging(), doctor_id: z.optional(uuid()) }),
  returns: {
    200: {
      description: 'A page by doctor, weekday and start.',
      data: () => z.array(Schedule()),
      meta: pageMeta,
    },
  },
});

export const CreateSchedule = endpoint({
  ...catalogWrite,
  method: 'post',
  path,
  summary: 'Add a weekly schedule',
  description:
    'Two schedules of one doctor may not overlap in weekday, hours, validity and weeks; one may lie in the break of another. Where another doctor has the room at the same time the answer names both, or is 409 `room_shared` where the clinic sets `refuse_shared_rooms`.',
  idempotent: true,
  body: () =>
    z.object({
      doctor_id: uuid(),
      ...scheduleFields.create(),
      weekday: described(
        z.optional(scheduleFields.create().weekday),
        '1 Monday … 7 Sunday; required without `date`.',
      ),
      date: described(
        z.optional(localDate()),
        'A single extra date: in place of `weekday`, `valid_from`, `valid_until` and `every_weeks`.',
      ),
    }),
  returns: {
    201: {
      description: 'Added.',
      data: Schedule,
      meta: () => z.object({ room_shared_with: sharedWith() }),
      message: 'created',
      headers: ['Location'],
    },
  },
  fails: ['schedule_overlap', 'room_shared'],
});

export const GetSchedule = endpoint({
  ...catalogRead,
  method: 'get',
  path: `${path}/{id}`,
  summary: 'One weekly schedule',
  returns: { 200: { description: 'The schedule.', data: Schedule } },
});

export const ChangeSchedule = endpoint({
  ...catalogWrite,
  method: 'patch',
  path: `${path}/{id}`,
  summary: 'Change, retire or reinstate a weekly schedule',
  description:
    'Cancels no booking: answers with the coming ones that it leaves outside of its hours, its slots or its capacity, which keep their room. A lowered capacity holds for new bookings.',
  bodyOptional: true,
  body: () => z.object({ ...scheduleFields.change(), active: z.optional(active()), ...changing() }),
  returns: { 200: { description: 'Changed.', data: Schedule, meta: changedMeta, message: 'changed' } },
  fails: ['schedule_overlap', 'room_shared', 'version_mismatch'],
});

export const RetireSchedule = endpoint({
  ...catalogWrite,
  method: 'delete',
  path: `${path}/{id}`,
  summary: 'Retire a weekly schedule',
  description: 'Its slots are gone; bookings stay, and keep their room. Answers with those that are coming.',
  returns: { 200: { description: 'Retired.', data: Schedule, meta: changedMeta, message: 'retired' } },
});
