/** The progress of a waiting patient, from the queue. */
interface Waiting {
  /** How many are called before. */
  ahead: number;
  startsAt: number;
  delayMinutes: number;
  minutesPerVisit: number;
  /** Whether the doctor has called anybody today. */
  hasBegun: boolean;
  now: number;
}

/** Minutes before a visit at which its patient is asked to be ready. */
const nearMinutes = 15;

/**
 * In about how many minutes the patient is called, and whether that is near: the doctor is at work, and the visit
 * starts within a quarter of an hour. Nobody is called before their own time, however few are ahead.
 */
export const estimateCall = ({ ahead, startsAt, delayMinutes, minutesPerVisit, hasBegun, now }: Waiting) => {
  const untilStart = (startsAt - now) / 60_000 + delayMinutes;
  const minutes = Math.max(ahead * minutesPerVisit, untilStart, 0);
  return { minutes, isNear: hasBegun && minutes <= nearMinutes };
};
