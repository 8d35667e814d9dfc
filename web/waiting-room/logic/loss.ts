// Pure: what the screen shows when no answer comes.

/** `fresh`: normal. `late`: a warning. `old`: the lists are out of date and hidden. `lost`: a neutral page. */
export type Loss = 'fresh' | 'late' | 'old' | 'lost';

const lateAfter = 15_000;
const oldAfter = 5 * 60_000;
const lostAfter = 30 * 60_000;

/** How far the screen is from the last answer, `age` milliseconds ago. */
export const computeLoss = (age: number): Loss => {
  if (age < lateAfter) return 'fresh';
  if (age < oldAfter) return 'late';
  return age < lostAfter ? 'old' : 'lost';
};

const retries = [1_000, 2_000, 5_000, 10_000, 20_000];

/** How long to wait before the next try, after so many failures in a row. */
export const retryAfter = (failures: number): number =>
  retries[Math.min(Math.max(failures, 1), retries.length) - 1] ?? 20_000;

export const everyMs = 3_000;
export const answerWithin = 8_000;

/** A tenth longer or shorter, so that the screens of a hospital do not ask at the same moment. */
export const jittered = (ms: number, random: number): number => Math.round(ms * (0.9 + random * 0.2));
