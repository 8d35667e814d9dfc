// Values that both the tables and the API use.

/** What can happen, by the subject that it happens to: what stands before the dot. */
export const eventTypes = [
  'booking.created',
  'booking.approved',
  'booking.canceled',
  'booking.rescheduled',
  'booking.checked_in',
  'booking.called',
  'booking.skipped',
  'booking.completed',
  'booking.no_show',
  'booking.updated',
  'booking.undone',
  'patient.created',
  'patient.updated',
  'patient.merged',
  'patient.deleted',
  'closure.created',
  'closure.removed',
  'queue.notice_set',
] as const;
export type EventType = (typeof eventTypes)[number];

/** Who approves a patient's booking of a session: the clinic each one, or nobody since it stands at once. */
export const approvals = ['manual', 'automatic'] as const;
export type Approval = (typeof approvals)[number];

/** How a delivery stands. */
export const deliveryStates = ['pending', 'delivered', 'given_up'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Why a receiver is sent nothing for now. */
export const pausedReasons = ['admin', 'failing', 'gone', 'secret_lost'] as const;
export type PausedReason = (typeof pausedReasons)[number];

/** Why an attempt got no answer: one of our own codes, never the receiver's text. */
export const attemptFailures = ['timeout', 'connection', 'refused_address'] as const;
export type AttemptFailure = (typeof attemptFailures)[number];

/** What is recorded of accounts, and of what admins change. */
export const securityEventTypes = [
  'registered',
  'login',
  'login_failed',
  'logout',
  'refresh_reused',
  'password_changed',
  'password_change_failed',
  'password_forgotten',
  'password_reset',
  'device_ended',
  'devices_ended',
  'second_factor_begun',
  'second_factor_added',
  'second_factor_removed',
  'second_factor_reset',
  'second_factor_failed',
  'recovery_codes_made',
  'reauthenticated',
  'account_deactivated',
  'account_reactivated',
  'email_change_asked',
  'email_changed',
  'role_changed',
  'password_setup_sent',
  'profile_changed',
  'email_code_sent',
  'email_proved',
  'clinic_changed',
  'doctor_created',
  'doctor_changed',
  'session_created',
  'session_changed',
  'schedule_created',
  'schedule_changed',
  'notice_set',
  'queue_prefix_set',
  'closure_created',
  'closure_changed',
  'closure_deleted',
  'closure_resolved',
  'patient_created',
  'patient_changed',
  'patient_merged',
  'patient_claimed',
  'claim_code_made',
  'claim_code_refused',
  'family_added',
  'family_changed',
  'family_ended',
  'account_exported',
  'account_deleted',
  'patient_exported',
  'patient_deleted',
  'consent_given',
  'consent_withdrawn',
  'webhook_created',
  'webhook_changed',
  'webhook_secret_rotated',
  'webhook_removed',
  'webhook_replayed',
  'api_key_created',
  'api_key_changed',
  'api_key_revoked',
  'record_read',
  'list_read',
  'audit_exported',
] as const;
export type SecurityEventType = (typeof securityEventTypes)[number];

/** Who can be the actor of a line in the audit trail. */
export const actorKinds = ['account', 'api_key'] as const;
export type ActorKind = (typeof actorKinds)[number];
