import { integer, text } from 'drizzle-orm/sqlite-core';

/** A UUID in lower-case text form. */
export const uuid = (name: string) => text(name);

/** A point in time, in milliseconds since 1970-01-01T00:00:00Z. */
export const instant = (name: string) => integer(name);

/** A calendar date in the clinic's zone, YYYY-MM-DD. */
export const localDate = (name: string) => text(name);

/** A wall-clock time in the clinic's zone, HH:MM:SS (24:00:00 as an end). */
export const localTime = (name: string) => text(name);
