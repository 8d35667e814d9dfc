// In which order patients are called, as conditions and texts of SQL.

import { type SQL, sql } from 'drizzle-orm';

/** A patient has come and waits to be called; `b` names the row. */
export const awaitsCall = (b: string): SQL => {
  const row = sql.raw(b);
  return sql`${row}.status = 'approved' and ${row}.checked_in_at is not null and ${row}.called_at is null
    and ${row}.completed_at is null and ${row}.no_show_at is null`;
};

/** A text that sorts in calling order: slot, check-in, number, or for a skipped booking the position behind others. */
export const computeTurn = (b: string): SQL => {
  const row = sql.raw(b);
  return sql`case when ${row}.checked_in_at is null then printf('%013d.9.%06d', ${row}.starts_at, ${row}.queue_number)
    else coalesce(${row}.queue_turn, printf('%013d.%013d.%06d.%s', ${row}.starts_at, ${row}.checked_in_at,
    ${row}.queue_number, ${row}.id)) end`;
};
