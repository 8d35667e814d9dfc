/** Names for which the scene has valid values. */
const living = new Set([
  'challenge',
  'recovery_code',
  'code',
  'id',
  'delivery_id',
  'device_id',
  'feed_id',
  'doctor_id',
  'session_id',
  'patient_id',
  'user_id',
  'email',
  'password',
  'current_password',
  'password_confirmation',
  'refresh_token',
  'token',
  'cursor',
  'schedule_date',
  'schedule_time',
  'date',
  'q',
  'start_time',
  'end_time',
]);

/** Other values that a route needs before it does anything; the scene has its own value for each. */
export const aimed: Readonly<Record<string, readonly string[]>> = {
  '/v1/auth/second-factors/passkeys': ['credential'],
  '/v1/bookings/{id}/arrive': ['poster'],
  '/v1/bookings/{id}/follow-up': ['from', 'to', 'earliest_time', 'latest_time'],
  '/v1/bookings/{id}/undo': ['version'],
  '/v1/check-ins': ['birth_date'],
  '/v1/family/claim': ['birth_date'],
  '/v1/patients/{id}/merge': ['into'],
  '/v1/waitlist': ['from', 'to', 'earliest_time', 'latest_time'],
  '/v1/waitlist/{id}/accept': ['booking_id'],
  '/v1/waitlist/{id}/decline': ['booking_id'],
};

export const isLiving = (name: string, path: string): boolean =>
  living.has(name) || (aimed[path]?.includes(name) ?? false);
