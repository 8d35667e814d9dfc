import * as z from 'zod/mini';
import { scopes } from '../core/endpoint/endpoint.ts';
import type { ErrorCode } from '../core/endpoint/errors.ts';
import { described, named, uuid } from '../core/endpoint/fields.ts';
import { factorKinds } from '../core/tables/words.ts';
import { RequestOptions } from '../modules/auth/passkeys/shapes.ts';
import { Booking, BookingStatus, VisitStatus } from '../modules/booking/record/shapes.ts';
import { BookedDate } from '../modules/booking/series/contract.ts';
import { RoomSharing } from '../modules/catalog/schedules/contract.ts';
import { ClosedReason, Slot } from '../modules/catalog/slots/contract.ts';
import { Candidate } from '../modules/patients/record/shapes.ts';

const Alternative = named('Alternative', () => ({
  doctor_id: uuid(),
  doctor_name: z.string(),
  ...Slot().shape,
}));

/** Further members of a failure's body beyond the envelope, by its code. */
export const failureExtras = {
  second_factor_required: () => ({
    challenge: described(z.string(), 'For `POST /v1/auth/login/second-factor`; good once.', {
      example: 'WyJiZTRkMiJd.c2ln',
    }),
    expires_in: described(z.int(), 'How long it is good, in seconds.', { example: 300 }),
    kinds: described(z.array(z.enum(factorKinds)), 'What the account has; a recovery code serves, too.', {
      example: factorKinds,
    }),
    passkey: described(
      z.optional(RequestOptions()),
      'For `PublicKeyCredential.parseRequestOptionsFromJSON` and `navigator.credentials.get`, where the account has passkeys.',
    ),
  }),
  mail_not_sent: () => ({
    reason: described(
      z.string(),
      'Why, in a word for the operator of the server: `not_set`, a code of SMTP, or a status of the provider.',
      { example: 'HTTP 401' },
    ),
  }),
  insufficient_scope: () => ({
    scope: described(z.nullable(z.enum(scopes)), 'What the key would need; null where no key may.', {
      example: 'bookings:read',
    }),
  }),
  slot_full: () => ({
    alternatives: described(
      z.array(Alternative()),
      "Up to three free slots near the wished one at which the patient is not busy: the doctor's, then those of others with the same session.",
    ),
  }),
  series_conflict: () => ({
    results: described(
      z.array(BookedDate()),
      'For each date the reason that prevents it, or that it is free.',
    ),
  }),
  room_shared: () => ({
    schedules: described(
      z.array(RoomSharing()),
      'Whose schedules have the room; empty where one was added in the same moment.',
    ),
  }),
  slot_unavailable: () => ({
    reason: described(
      z.enum([...ClosedReason().options, 'not_offered']),
      "Why it cannot be booked; `not_offered` is off the schedule's grid.",
    ),
  }),
  patient_busy: () => ({
    booking_id: described(
      z.optional(uuid()),
      'The booking that prevents it; absent where the caller may not see it.',
    ),
  }),
  invalid_transition: () => ({
    booking_status: described(
      BookingStatus(),
      'The present state; of an archived booking, which never changes, the last one.',
    ),
    visit: described(z.optional(VisitStatus()), 'How far the visit came, once it began.'),
  }),
  patient_exists: () => ({
    candidates: described(
      z.array(Candidate()),
      'Who has the number; empty where somebody took it in the same moment.',
    ),
  }),
  merge_conflict: () => ({
    conflicts: described(
      z.array(
        z.object({
          source: described(Booking(), 'The booking of the record that was to be merged.'),
          into: described(Booking(), 'The one of the other record at the same time.'),
        }),
      ),
      'The live bookings that overlap, at most 20 pairs.',
    ),
  }),
  patient_merged: () => ({
    merged_into: described(uuid(), 'The record that is left.', {
      example: 'd0c70000-0000-4000-8000-000000003004',
    }),
  }),
  possible_duplicate: () => ({ candidates: described(z.array(Candidate()), 'Those who look alike.') }),
  import_moved_on: () => ({
    last_row: described(z.int(), 'The last row that was taken.', { example: 101 }),
    finished: described(z.boolean(), 'Whether the import is over.', { example: false }),
  }),
  set_by_environment: () => ({
    fields: described(z.array(z.string()), 'The rules that were to be changed and cannot be.', {
      example: ['min_notice_minutes'],
    }),
  }),
  version_mismatch: () => ({ version: described(z.int(), 'The present version.') }),
} satisfies Partial<Record<ErrorCode, () => z.core.$ZodShape>>;
