import { sql } from 'drizzle-orm';
import { integer, text } from 'drizzle-orm/sqlite-core';

/** A UUID in lower-case text form. */
export const uuid = <const N extends string>(name: N) => text(name);

/** A point in time, in milliseconds since 1970-01-01T00:00:00Z. */
export const instant = <const N extends string>(name: N) => integer(name);

/** A calendar date in the clinic's zone, YYYY-MM-DD. */
export const localDate = <const N extends string>(name: N) => text(name);

/** A wall-clock time in the clinic's zone, HH:MM:SS (24:00:00 as an end). */
export const localTime = <const N extends string>(name: N) => text(name);

/** The condition of the indexes of `external_id`: they cost nothing for a record without one. */
export const hasExternalId = sql`external_id is not null`;
