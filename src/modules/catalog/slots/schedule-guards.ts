import { type SQL, sql } from 'drizzle-orm';

// What a schedule lays out, as src/modules/catalog/slots/rules.ts has it, in SQL.

/** The minutes of a day in a column or value with a time, such as 09:30:00. */
export const minuteIn = (time: SQL): SQL => sql`(substr(${time}, 1, 2) * 60 + substr(${time}, 4, 2))`;

/** How many weeks lie between the first Monday of 1970 and a date; weeks begin on Monday. */
const weekIndex = (date: SQL): SQL =>
  sql`cast((julianday(${date}) - julianday('1970-01-05')) / 7 as integer)`;

/** A schedule of every so many weeks holds in the week of a date, counted from the week of its first date. */
export const isItsWeek = (everyWeeks: SQL, validFrom: SQL, date: SQL): SQL => sql`(${everyWeeks} = 1
  or (${weekIndex(date)} - ${weekIndex(validFrom)}) % ${everyWeeks} = 0)`;

interface Hours {
  startTime: SQL;
  endTime: SQL;
  slotMinutes: SQL;
  breakStart: SQL;
  breakEnd: SQL;
}

const startsIn = (
  minute: SQL,
  from: SQL,
  until: SQL,
  slotMinutes: SQL,
): SQL => sql`(${minute} >= ${minuteIn(from)}
  and (${minute} - ${minuteIn(from)}) % ${slotMinutes} = 0 and ${minute} + ${slotMinutes} <= ${minuteIn(until)})`;

/** A slot begins at this minute: the hours before the break and those after it are laid out each from its start. */
export const isOnGrid = (
  minute: SQL,
  { startTime, endTime, slotMinutes, breakStart, breakEnd }: Hours,
): SQL =>
  sql`(${startsIn(minute, startTime, sql`coalesce(${breakStart}, ${endTime})`, slotMinutes)}
  or (${breakEnd} is not null and ${startsIn(minute, breakEnd, endTime, slotMinutes)}))`;

/** How many slots a date has. */
export const slotCount = ({ startTime, endTime, slotMinutes, breakStart, breakEnd }: Hours): SQL =>
  sql`((${minuteIn(sql`coalesce(${breakStart}, ${endTime})`)} - ${minuteIn(startTime)}) / ${slotMinutes}
  + case when ${breakEnd} is null then 0 else (${minuteIn(endTime)} - ${minuteIn(breakEnd)}) / ${slotMinutes} end)`;

/** Closures of a doctor `d`, or of the clinic, that hold on a date. */
const closuresOn = (date: SQL): SQL => sql`closures c where (c.doctor_id = d.id or c.doctor_id is null)
  and c.start_date <= ${date} and c.end_date >= ${date}`;

/** The doctor `d` or the clinic is closed for the whole of a date. */
export const isClosedAllDay = (date: SQL): SQL =>
  sql`exists (select 1 from ${closuresOn(date)} and c.start_time is null)`;

/** How many slots of a date are not in a closure of a part of the day. */
export const openSlotCount = (hours: Hours, date: SQL): SQL => {
  const { startTime, endTime, slotMinutes } = hours;
  const minute = sql.raw('m.minute');
  return sql`case when not exists (select 1 from ${closuresOn(date)} and c.start_time is not null)
  then ${slotCount(hours)} else (with recursive minutes(minute) as (select ${minuteIn(startTime)}
    union all select minute + 1 from minutes where minute + 1 < ${minuteIn(endTime)})
    select count(*) from minutes m where ${isOnGrid(minute, hours)} and not exists (select 1 from ${closuresOn(date)}
      and ${minute} < ${minuteIn(sql`c.end_time`)}
      and ${minute} + ${slotMinutes} > ${minuteIn(sql`c.start_time`)})) end`;
};

/** The columns of a schedule under an alias of its table. */
export const hoursOf = (alias: string): Hours => ({
  startTime: sql.raw(`${alias}.start_time`),
  endTime: sql.raw(`${alias}.end_time`),
  slotMinutes: sql.raw(`${alias}.slot_minutes`),
  breakStart: sql.raw(`${alias}.break_start`),
  breakEnd: sql.raw(`${alias}.break_end`),
});
