import * as z from 'zod/mini';
import { described, foreignCode } from '../../../core/endpoint/fields.ts';
import type { bookings } from '../../../core/tables/bookings.ts';
import { bookingChannels, payers, visitKinds } from '../../../core/tables/words.ts';

const Payer = () => z.enum(payers);
const VisitKind = () => z.enum(visitKinds);
const meanings = {
  payer: 'Who pays: `jkn` is BPJS Kesehatan.',
  kind: 'Why the patient comes, for BPJS: with a referral of a first-level clinic, of another poli or of another hospital, or for control.',
  referral: 'Of the referral or the control letter, for BPJS.',
};
const referral = { example: '0301R0010126B000001' };

/** The data of a visit for other systems. */
export type VisitFields = Pick<
  typeof bookings.$inferSelect,
  'channel' | 'payer' | 'visitKind' | 'referralNumber'
>;

/** Payer, kind and referral, as a request gives them. */
export const visitInput = () => ({
  payer: described(z.optional(Payer()), meanings.payer),
  visit_kind: described(z.optional(VisitKind()), meanings.kind),
  referral_number: described(z.optional(foreignCode(40)), meanings.referral, referral),
});

/** The same, to be changed: null takes one away. */
export const visitChange = () => ({
  payer: described(z.optional(z.nullable(Payer())), meanings.payer),
  visit_kind: described(z.optional(z.nullable(VisitKind())), meanings.kind),
  referral_number: described(z.optional(z.nullable(foreignCode(40))), meanings.referral, referral),
});

/** The clinic's word that it passes what a session limits for each patient. */
export const overrideLimits = () =>
  described(
    z.optional(z.boolean()),
    'By the clinic: books although a limit of the session (`day_limit`, `days_between`, `new_patients_only`, `known_patients_only`) speaks against it. The audit names who did. From a patient 403.',
  );

export const channelInput = () =>
  described(
    z.optional(z.enum(['app', 'desk', 'phone'])),
    'By the clinic: where the booking came from; `desk` unless set.',
  );

/** What everybody who sees a booking is shown. */
export const visitShape = () => ({
  channel: described(z.enum(bookingChannels), 'Where the booking came from.', { example: 'app' }),
  payer: described(z.nullable(Payer()), meanings.payer, { example: null }),
  visit_kind: described(z.nullable(VisitKind()), meanings.kind, { example: null }),
  referral_number: described(z.nullable(z.string()), meanings.referral, { example: null }),
});

export const encounterShape = () =>
  described(z.nullable(z.string()), 'The id of the Encounter at SATUSEHAT; null of none.', { example: null });
