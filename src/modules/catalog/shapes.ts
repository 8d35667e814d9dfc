import * as z from 'zod/mini';
import { described, utcInstant, uuid } from '../../core/endpoint/fields.ts';
import { liveStatuses } from '../../core/tables/words.ts';

export const adminOnly = ['admin'] as const;
/** The roles that manage bookings. */
export const clinicPeople = ['doctor', 'staff', 'admin'] as const;

export const catalogRead = {
  tag: 'admin',
  scope: 'catalog:read',
  access: clinicPeople,
  discloses: 'nothing',
} as const;
export const catalogWrite = { tag: 'admin', scope: 'catalog:write', access: adminOnly } as const;

/** The fields that every catalog record has in addition to its own. */
export const record = () => ({
  version: described(z.int(), 'Raised by every change.'),
  created_at: utcInstant(),
  updated_at: utcInstant(),
});

export const active = () => described(z.boolean(), 'False once taken out of service; its bookings stay.');

/** Fields of a change request, in addition to those that it changes. */
export const changing = () => ({
  version: described(
    z.optional(z.int()),
    'Refuses with `version_mismatch` unless the record has this version.',
  ),
});

export const affectedMeta = () =>
  z.object({
    affected_bookings: described(
      z.array(
        z.object({
          id: uuid(),
          patient_id: uuid(),
          patient_name: z.string(),
          phone_country_code: z.string(),
          phone_number: z.string(),
          doctor_id: uuid(),
          doctor_name: z.string(),
          schedule_date: z.string(),
          schedule_time: z.string(),
          starts_at: utcInstant(),
          ends_at: utcInstant(),
          status: z.enum(liveStatuses),
        }),
      ),
      'Live bookings that the change leaves standing where no new one is possible, by their start; at most 1,000.',
    ),
    affected_total: described(z.int(), 'How many there are, beyond those listed too.'),
  });
