const uniqueViolation = /UNIQUE constraint failed: ([\w.]+(?:, [\w.]+)*)/;

/**
 * The columns of the unique constraint that a write broke ("users.email"), or null for any other error. The four
 * drivers' errors share nothing but SQLite's own sentence somewhere down the chain of causes.
 */
export const violatedUnique = (error: unknown): string | null => {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const found = uniqueViolation.exec(cause.message)?.[1];
    if (found !== undefined) return found;
  }
  return null;
};
