import { DatabaseSync } from 'node:sqlite';
import { dayMs, doctorCount, doctorId, sessionId, slotMinutes, slotsPerDay } from './clinic.ts';

/** The body of the n-th booking: no two share a seat, and none of a patient's overlap. */
export const nthBooking = (n: number): string => {
  const slot = Math.floor(n / doctorCount);
  const day = new Date(Date.now() + (2 + Math.floor(slot / slotsPerDay)) * dayMs).toISOString().slice(0, 10);
  const minute = (slot % slotsPerDay) * slotMinutes;
  const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:00`;
  return JSON.stringify({
    doctor_id: doctorId(n % doctorCount),
    session_id: sessionId,
    schedule_date: day,
    schedule_time: time,
    notes: 'Kontrol rutin',
  });
};

/** Throws unless the database holds exactly the bookings that were answered for, each once and with its event. */
export const checkBookings = (path: string, accepted: number): void => {
  const db = new DatabaseSync(path);
  const one = (sql: string) => Number(Object.values(db.prepare(sql).get() ?? {})[0]);
  // The demo clinic has bookings of its own.
  const ours = "doctor_id like 'be7c%'";
  const made = one(`select count(*) from bookings where status = 'waiting' and ${ours}`);
  const events = one(`select count(*) from booking_events e join bookings b on b.id = e.booking_id
    where e.type = 'booking.created' and b.${ours}`);
  const twice = one(
    "select count(*) from (select 1 from bookings where status <> 'canceled' group by doctor_id, starts_at having count(*) > 1)",
  );
  db.close();
  // Connections that the generator closes at the end may have one answer each on the way.
  if (made < accepted || events !== made || twice > 0)
    throw new Error(`${path}: ${accepted} accepted, ${made} stored, ${events} events, ${twice} twice`);
};
