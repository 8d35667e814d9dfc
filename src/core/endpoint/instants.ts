/** An instant (milliseconds since 1970) as the interface writes it: ISO 8601 in UTC. */
export const toIso = (instant: number): string => new Date(instant).toISOString();

export const isoOrNull = (instant: number | null): string | null =>
  instant === null ? null : toIso(instant);
