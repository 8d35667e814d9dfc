import * as z from 'zod/mini';
import { externalInEvent } from '../db/external-fields.ts';
import { described, endTime, localDate, named, startTime, uuid } from '../endpoint/fields.ts';
import { actingRoles } from '../endpoint/roles.ts';

/** In which role something was done. */
const role = () => described(z.enum(actingRoles), 'The role in which it was done.', { example: 'staff' });

const version = () =>
  described(z.int(), 'Counts the events of this subject: a higher one is newer.', { example: 1 });

/** The patient in an event: the id of the record, never personal data. */
export const PatientEventData = named('PatientEventData', () => ({
  patient_id: uuid(),
  version: version(),
  ...externalInEvent(),
  merged_into: described(z.nullable(uuid()), 'The record that is left, after a merge.', { example: null }),
  actor_role: role(),
}));

export const ClosureEventData = named('ClosureEventData', () => ({
  closure_id: described(uuid(), 'The leave or holiday.', {
    example: '7c0c7d52-8f0e-4c0f-9d0a-3d5f2f6c1b7e',
  }),
  version: version(),
  doctor_id: described(z.nullable(uuid()), 'The doctor on leave; null for a holiday of the clinic.'),
  start_date: localDate(),
  end_date: described(localDate(), 'The last day, included.'),
  start_time: described(z.nullable(startTime()), 'Null for whole days.'),
  end_time: z.nullable(endTime()),
  actor_role: role(),
}));

export const QueueEventData = named('QueueEventData', () => ({
  doctor_id: uuid(),
  version: version(),
  schedule_date: localDate(),
  delay_minutes: described(z.int(), 'How late the doctor is; 0 once the notice is taken back.', {
    example: 30,
  }),
  actor_role: role(),
}));
