const uniqueViolation = /UNIQUE constraint failed: ([\w.]+(?:, [\w.]+)*)/;

/**
 * The columns of the unique constraint that a write violated ("users.email"), or null for any other error. The four
 * drivers' errors have only one thing in common: SQLite's own message somewhere in the chain of causes.
 */
export const violatedUnique = (error: unknown): string | null => {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const found = uniqueViolation.exec(cause.message)?.[1];
    if (found !== undefined) return found;
  }
  return null;
};

/** Whether a write refers to a row that is not there: to somebody who was deleted at that moment. */
export const refersToNobody = (error: unknown): boolean => {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause.message.includes('FOREIGN KEY constraint failed')) return true;
  return false;
};
