// The invariants of every Janji database, as SQL that finds the rows which break them. Plain text, so that any SQLite
// can verify a backup.

export interface Invariant {
  /** The invariant, as a sentence. */
  holds: string;
  /** Selects the id of each row that breaks it. */
  offenders: string;
}

const clinic = `('staff', 'doctor', 'admin', 'api_key')`;

/** The same table has events of other subjects. */
const events = `(select * from booking_events where type like 'booking.%'
  and booking_id not in (select id from bookings where channel = 'imported'))`;

/** Imported visits of the past hold no seat: they may overlap, and have no number and no event of their making. */
const live = `select * from bookings where status <> 'canceled' and channel <> 'imported'`;

/** Events of each booking in order, with the state before them. */
const eventsInOrder = `select e.*, json_extract(payload, '$.status') as status,
  lag(json_extract(payload, '$.status')) over (partition by booking_id order by version) as status_before,
  lag(json_extract(payload, '$.visit')) over (partition by booking_id order by version) as visit_before,
  lag(version, 1, 0) over (partition by booking_id order by version) as version_before,
  lag(sequence, 1, 0) over (partition by booking_id order by version) as sequence_before
  from ${events} e`;

/** The same without those that change nothing of a booking's state. */
const steps = eventsInOrder.replace(
  `from ${events} e`,
  `from ${events} e where type not in ('booking.updated', 'booking.answered', 'booking.confirmed')`,
);

const lastEvent = `select *, max(version) as last_version from ${events} group by booking_id`;

const queueInPayload = `json_extract(payload, '$.doctor_id'), json_extract(payload, '$.schedule_date'),
  json_extract(payload, '$.session_id'), json_extract(payload, '$.queue_number')`;

const overlap = `b.starts_at < a.ends_at and a.starts_at < b.ends_at`;

export const bookingInvariants: readonly Invariant[] = [
  {
    holds: 'a seat belongs to one live booking',
    offenders: `select min(id) as id from (${live}) group by doctor_id, starts_at, seat having count(*) > 1`,
  },
  {
    holds: 'seats count from 1, and no slot is longer than a day',
    offenders: `select id from bookings where seat < 1 or ends_at <= starts_at or ends_at - starts_at > 86400000`,
  },
  {
    holds: 'live bookings of one doctor overlap only where they share the start',
    offenders: `select a.id from (${live}) a join (${live}) b on b.doctor_id = a.doctor_id
      and b.starts_at > a.starts_at and ${overlap}`,
  },
  {
    holds: 'live bookings of one patient do not overlap',
    offenders: `select a.id from (${live}) a join (${live}) b on b.patient_id = a.patient_id and b.id > a.id and ${overlap}`,
  },
  {
    holds: 'a queue number is given to one booking of a doctor, date and session, ever',
    offenders: `select min(booking_id) as id from ${events} where json_extract(payload, '$.queue_number') > 0
      group by ${queueInPayload} having count(distinct booking_id) > 1`,
  },
  {
    holds: 'bookings of one queue have numbers of their own, none above its counter',
    offenders: `select min(b.id) as id from bookings b left join queues q on q.doctor_id = b.doctor_id
      and q.schedule_date = b.schedule_date and q.session_id = b.session_id where b.held_until is null and b.channel <> 'imported'
      group by b.doctor_id, b.schedule_date, b.session_id, b.queue_number
      having count(*) > 1 or b.queue_number < 1 or b.queue_number > coalesce(max(q.last_number), 0)`,
  },
  {
    holds: 'a label has the number of its booking, and its letters belong to one queue a day',
    offenders: `select b.id from bookings b where b.held_until is null and b.channel <> 'imported' and not exists (select 1 from queue_prefixes p
        where b.queue_label = p.prefix || '-' || printf('%02d', b.queue_number))
      union all select min(id) as id from bookings where held_until is null and channel <> 'imported' group by schedule_date, substr(queue_label, 1, instr(queue_label, '-'))
      having count(distinct doctor_id || session_id) > 1`,
  },
  {
    holds: 'every booking has its events, and no event stands without a booking',
    offenders: `select id from bookings where channel <> 'imported' and id not in (select booking_id from ${events})
      union all select booking_id from ${events} where booking_id not in (select id from bookings)`,
  },
  {
    holds: 'the events of a booking are its versions 1, 2, 3 … in the order they were written',
    offenders: `select booking_id as id from (${eventsInOrder})
      where version <> version_before + 1 or sequence <= sequence_before
      or (version = 1) <> (type in ('booking.created', 'booking.offered'))`,
  },
  {
    // A step of an import writes several patients, and an event of each.
    holds: 'a change has one event',
    offenders: `select min(booking_id) as id from booking_events
      group by write_id, case when type like 'booking.%' then '' else booking_id end having count(*) > 1`,
  },
  {
    holds: 'the last event of a booking is its last change, and shows the booking as it is',
    offenders: `select b.id from bookings b join (${lastEvent}) e on e.booking_id = b.id
      where e.last_version <> b.version or e.write_id <> b.write_id
      or json_extract(e.payload, '$.status') <> b.status
      or json_extract(e.payload, '$.version') <> b.version
      or json_extract(e.payload, '$.patient_id') <> b.patient_id
      or json_extract(e.payload, '$.doctor_id') <> b.doctor_id
      or json_extract(e.payload, '$.session_id') <> b.session_id
      or json_extract(e.payload, '$.schedule_date') <> b.schedule_date
      or json_extract(e.payload, '$.schedule_time') <> b.schedule_time
      or unixepoch(json_extract(e.payload, '$.starts_at')) * 1000 <> b.starts_at
      or unixepoch(json_extract(e.payload, '$.ends_at')) * 1000 <> b.ends_at
      or json_extract(e.payload, '$.queue_number') <> b.queue_number
      or json_extract(e.payload, '$.overbooked') <> b.overbooked
      or json_extract(e.payload, '$.queue_label') <> b.queue_label
      or json_extract(e.payload, '$.series_id') is not b.series_id`,
  },
  {
    holds: 'each event is a step that a booking can take',
    offenders: `select booking_id as id from (${eventsInOrder}) where type in ('booking.updated', 'booking.answered', 'booking.confirmed') and status <> status_before
      union all select booking_id as id from (${steps})
      where status_before = 'canceled'
      or (type = 'booking.created' and status not in ('waiting', 'approved'))
      or (type = 'booking.offered' and status <> 'waiting')
      or (type = 'booking.accepted' and (status = 'canceled' or status_before <> 'waiting'))
      or (type = 'booking.approved' and (status <> 'approved' or status_before <> 'waiting'))
      or ((type = 'booking.canceled') <> (status = 'canceled'))
      or (type in ('booking.checked_in', 'booking.called', 'booking.skipped', 'booking.completed', 'booking.no_show',
        'booking.undone')
        and status <> 'approved')
      or (type in ('booking.called', 'booking.skipped', 'booking.completed', 'booking.no_show', 'booking.undone')
        and status_before <> 'approved')
      or (type = 'booking.undone' and visit_before is null)
      or (visit_before in ('completed', 'no_show') and type <> 'booking.undone')`,
  },
  {
    holds: 'an event names the role in which it was done, and a move the slot before',
    offenders: `select booking_id as id from booking_events
      where json_extract(payload, '$.actor_role') <> actor_role
      or (type <> 'booking.rescheduled' and json_type(payload, '$.previous') = 'object')
      or (type = 'booking.rescheduled' and actor_role <> 'system' and json_type(payload, '$.previous') = 'object'
        and json_extract(payload, '$.previous.doctor_id') = json_extract(payload, '$.doctor_id')
        and json_extract(payload, '$.previous.session_id') = json_extract(payload, '$.session_id')
        and json_extract(payload, '$.previous.schedule_date') = json_extract(payload, '$.schedule_date')
        and json_extract(payload, '$.previous.schedule_time') = json_extract(payload, '$.schedule_time'))`,
  },
  {
    holds: 'the clinic alone makes a booking beyond the capacity, and no move keeps it there',
    offenders: `select id from bookings where overbooked not in (0, 1)
      union all select id from bookings where overbooked = 1 and id not in (select booking_id from booking_events
        where type = 'booking.created' and actor_role in ${clinic} and json_extract(payload, '$.overbooked'))
      union all select booking_id from booking_events where type = 'booking.rescheduled'
        and json_extract(payload, '$.overbooked')`,
  },
  {
    holds: 'a booking is approved exactly when it says since when, and visited only after that',
    offenders: `select id from bookings where (status = 'approved' and approved_at is null)
      or (status = 'waiting' and (approved_at is not null or checked_in_at is not null))
      or (called_at is not null and (checked_in_at is null or call_count < 1 or first_called_at is null))
      or first_called_at > called_at or call_count < 0
      or (completed_at is not null and checked_in_at is null and channel <> 'imported')
      or (completed_at is not null and no_show_at is not null)`,
  },
  {
    holds: 'who said that they come was asked',
    offenders: `select id from bookings where confirmed_at is not null and asked_at is null`,
  },
  {
    holds: 'an imported visit is over, and has no number',
    offenders: `select id from bookings where channel = 'imported' and (queue_number <> 0 or queue_label <> ''
      or (status <> 'canceled' and completed_at is null and no_show_at is null))`,
  },
  {
    // Other records that a request made, such as a closure, may have been deleted since.
    holds: 'a stored response of a booking or a patient names one that exists',
    offenders: `select p.key as id from replays p where
      (json_type(p.body, '$.data.booking_code') is not null
        and json_extract(p.body, '$.data.id') not in (select id from bookings))
      or (json_type(p.body, '$.data.medical_record_number') is not null
        and json_extract(p.body, '$.data.id') not in (select id from patients))`,
  },
  {
    holds: 'an offer waits without a number, is held until its start at most, and was never approved',
    offenders: `select id from bookings where held_until is not null and (status = 'approved' or queue_number <> 0
      or queue_label <> '' or held_until > starts_at or waitlist_id is null)`,
  },
  {
    holds: 'an open offer is the only one of an entry that waits, and of its patient',
    offenders: `select b.id from bookings b left join waitlist_entries w on w.id = b.waitlist_id
      where b.status = 'waiting' and b.held_until is not null
      and (w.id is null or w.ended_at is not null or w.patient_id <> b.patient_id)
      union all select min(id) as id from bookings where status = 'waiting' and held_until is not null
      group by waitlist_id having count(*) > 1
      union all select min(id) as id from bookings where status = 'waiting' and held_until is not null
      group by patient_id having count(*) > 1`,
  },
  {
    holds: 'a patient waits once for a session and doctor',
    offenders: `select min(id) as id from waitlist_entries where ended_at is null
      group by patient_id, session_id, doctor_id having count(*) > 1`,
  },
  {
    holds: 'a canceled booking says when and by whom, a live one does not',
    offenders: `select id from bookings where (status = 'canceled') <> (canceled_at is not null)
      or (status = 'canceled') <> (canceled_by is not null)`,
  },
];
