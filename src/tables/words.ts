// Values that both the tables and the API use.

/** What can happen to a booking. */
export const eventTypes = [
  'booking.created',
  'booking.approved',
  'booking.canceled',
  'booking.rescheduled',
  'booking.checked_in',
  'booking.called',
  'booking.completed',
  'booking.no_show',
  'booking.updated',
] as const;
export type EventType = (typeof eventTypes)[number];

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
  'doctor_created',
  'doctor_changed',
  'session_created',
  'session_changed',
  'schedule_created',
  'schedule_changed',
  'closure_created',
  'closure_changed',
  'closure_deleted',
  'patient_created',
  'patient_changed',
  'patient_merged',
  'patient_claimed',
  'claim_code_made',
  'claim_code_refused',
  'family_added',
  'family_changed',
  'family_ended',
  'webhook_created',
  'webhook_changed',
  'webhook_secret_rotated',
  'webhook_removed',
  'webhook_replayed',
] as const;
export type SecurityEventType = (typeof securityEventTypes)[number];
