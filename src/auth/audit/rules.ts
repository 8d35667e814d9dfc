/** What the audit trail records: events of accounts and changes by admins. */
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
  'webhook_created',
  'webhook_changed',
  'webhook_secret_rotated',
  'webhook_removed',
  'webhook_replayed',
] as const;

/** Who makes a change, in which request, and when. */
export interface Author {
  actorId: string;
  deviceLoginId: string;
  requestId: string;
  now: number;
}

/** The names of the fields in a change, for the audit trail; never their values. */
export const fieldsIn = ({ version: _, ...given }: Readonly<Record<string, unknown>>): string =>
  Object.keys(given)
    .filter((name) => given[name] !== undefined)
    .join(',');
