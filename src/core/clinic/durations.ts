/** Lengths of time in milliseconds. A day here is 24 hours; a calendar day of a clinic is time.ts's. */
export const secondMs = 1_000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
