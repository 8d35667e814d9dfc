import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { idParam, named, uuid } from '../../../core/endpoint/fields.ts';
import { pageMeta, paging } from '../../../core/endpoint/query-fields.ts';
import { scheduleFields } from '../fields/schedules.ts';
import { active, adminOnly, affectedMeta, changing, clinicPeople, record } from '../shapes.ts';

const Schedule = named('Schedule', () => ({
  id: uuid(),
  doctor_id: uuid(),
  ...scheduleFields.answer(),
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
  body: () => z.object({ doctor_id: uuid(), ...scheduleFields.create() }),
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
  description:
    'Cancels no booking: answers with the coming ones that it leaves outside of its hours, its slots or its capacity, which keep their room. A lowered capacity holds for new bookings.',
  params: idParam,
  bodyOptional: true,
  body: () => z.object({ ...scheduleFields.change(), active: z.optional(active()), ...changing() }),
  returns: { 200: { description: 'Changed.', data: Schedule, meta: affectedMeta, message: 'changed' } },
  fails: ['schedule_overlap', 'version_mismatch'],
});

export const RetireSchedule = endpoint({
  ...common,
  scope: 'catalog:write',
  method: 'delete',
  path: `${path}/{id}`,
  summary: 'Retire a weekly schedule',
  description: 'Its slots are gone; bookings stay, and keep their room. Answers with those that are coming.',
  params: idParam,
  returns: { 200: { description: 'Retired.', data: Schedule, meta: affectedMeta, message: 'retired' } },
  fails: [],
});
