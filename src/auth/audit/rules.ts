/** What is recorded of accounts. */
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
] as const;
