const dayMs = 86_400_000;

const copied = (columns: readonly string[], others: Record<string, string>): string =>
  columns.map((name) => others[name] ?? `b."${name}"`).join(', ');

/**
 * Statements that give a database so many visits of one patient, all older than a horizon of 400 days, each with its events; and a
 * newest event, which keeps its booking where it is. Unless a patient is named they are those of the first booking's.
 */
export const longPast = (
  columnsOf: (table: 'bookings' | 'booking_events') => readonly string[],
  visits: number,
  patientId?: string,
): string[] => {
  const hex = "printf('%012x', i)";
  const far = `(500 + i) * ${dayMs}`;
  const counted = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${visits})`;
  const booking = copied(columnsOf('bookings'), {
    id: `substr(b.id, 1, 24) || ${hex}`,
    ...(patientId !== undefined && { patient_id: `'${patientId}'` }),
    write_id: `substr(b.write_id, 1, 24) || ${hex}`,
    booking_code: "'X' || i",
    schedule_date: "date(b.schedule_date, '-' || (500 + i) || ' days')",
    starts_at: `b.starts_at - ${far}`,
    ends_at: `b.ends_at - ${far}`,
    updated_at: `b.updated_at - ${far}`,
    status: "'approved'",
    completed_at: `b.ends_at - ${far}`,
    checked_in_at: `b.starts_at - ${far}`,
  });
  const event = copied(columnsOf('booking_events'), {
    sequence: 'null',
    write_id: `substr(b.write_id, 1, 24) || ${hex}`,
    booking_id: `substr(b.booking_id, 1, 24) || ${hex}`,
  });
  const newest = copied(columnsOf('booking_events'), {
    sequence: 'null',
    version: 'b.version + 1',
    write_id: "'last'",
  });
  return [
    'create table one as select * from bookings limit 1',
    'create table own_events as select * from booking_events where booking_id = (select id from one)',
    `${counted} insert into bookings select ${booking} from n join one b`,
    `${counted} insert into booking_events select ${event} from n join own_events b`,
    `insert into booking_events select ${newest} from own_events b order by version desc limit 1`,
    'drop table one',
    'drop table own_events',
  ];
};
