import type { ActingRole } from '../../../core/endpoint/roles.ts';
import type { BookingStatus, CancelReasonCode } from '../../../core/tables/words.ts';

/** The verbs of a booking, named as in the paths. */
export const verbs = [
  'approve',
  'reject',
  'cancel',
  'reschedule',
  'check-in',
  'call',
  'skip',
  'complete',
  'no-show',
  'undo',
  'expire',
  'accept',
  'lapse',
] as const;
export type Verb = (typeof verbs)[number];

export type Status = BookingStatus;
export type { ActingRole };

/** The fields that decide a booking's actions. */
export interface Judged {
  status: Status;
  scheduleDate: string;
  startsAt: number;
  endsAt: number;
  checkedInAt: number | null;
  firstCalledAt: number | null;
  calledAt: number | null;
  completedAt: number | null;
  noShowAt: number | null;
  /** For an offer: until when it holds, or held, its seat; null for a booking. */
  heldUntil: number | null;
  /** When a reminder asked whether the patient comes, and when they said so. */
  askedAt: number | null;
  confirmedAt: number | null;
}

export interface BookingState extends Judged {
  patientId: string;
  doctorId: string;
  approvedAt: number | null;
  callCount: number;
  canceledAt: number | null;
  canceledBy: ActingRole | null;
  cancelReasonCode: CancelReasonCode | null;
  cancelReason: string | null;
  queueTurn: string | null;
}

/** The party for which an actor changes a booking. */
export type Party = 'patient' | 'clinic' | 'system';
