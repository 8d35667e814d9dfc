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

/** Who changes something, in which request and when. */
export interface Author {
  actorId: string;
  deviceLoginId: string;
  requestId: string;
  now: number;
}

/** The names of the fields that a change gave, for the trail: never what they hold. */
export const fieldsIn = ({ version: _, ...given }: Readonly<Record<string, unknown>>): string =>
  Object.keys(given)
    .filter((name) => given[name] !== undefined)
    .join(',');
