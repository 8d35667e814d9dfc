// The queries of the floor and the Fastify peer: the same rows that Janji reads and writes.

export const sessionSql = `select u.id, u.name, u.phone_number, u.phone_country_code, u.email, u.device_id, u.role,
  u.email_proved_at
  from device_logins l join users u on u.id = l.user_id
  where l.id = ? and l.user_id = ? and l.revoked_at is null and l.expires_at > ?`;

export const historySql = `select id, doctor_id, doctor_name, session_id, session_name, schedule_date, schedule_time,
  notes, status from bookings where patient_id = ? order by starts_at desc, id desc limit 51`;

export const insertSql = `insert into bookings (id, version, write_id, patient_id, doctor_id, doctor_name, session_id,
  session_name, schedule_date, schedule_time, starts_at, ends_at, seat, queue_number, booking_code, notes, status,
  created_by, created_at, updated_at, call_count)
  select :id, 1, :write, :patient, d.id, d.title || ' ' || d.name, s.session_id, n.name, :date, :time, :starts,
    :starts + s.slot_minutes * 60000, 1, 1, :code, :notes, 'waiting', :patient, :now, :now, 0
  from doctors d join schedules s on s.doctor_id = d.id and s.weekday = :weekday and s.session_id = :session
  join sessions n on n.id = s.session_id
  where d.id = :doctor and d.retired_at is null
    and (select count(*) from bookings o where o.doctor_id = d.id and o.starts_at = :starts
      and o.status <> 'canceled') < s.capacity
    and not exists (select 1 from bookings o where o.patient_id = :patient and o.status <> 'canceled'
      and o.starts_at > :starts - 86400000 and o.starts_at < :starts + s.slot_minutes * 60000
      and o.ends_at > :starts)
  returning id, doctor_id, doctor_name, session_id, session_name, schedule_date, schedule_time, notes, status`;

export const eventSql = `insert into booking_events (write_id, booking_id, version, type, actor_id, actor_role,
  request_id, occurred_at, payload) values (?, ?, 1, 'booking.created', ?, 'patient', ?, ?, ?)`;

/** The instant of a local date and time of the benchmark's clinic. */
export const instantOf = (date: string, time: string): number => Date.parse(`${date}T${time}+07:00`);

export const securityHeaders: Record<string, string> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=15552000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
  'cache-control': 'no-store',
};
