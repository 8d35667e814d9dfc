export const overdue = Symbol('overdue');

/** The result of the work, or `overdue` after the time limit; the work is not awaited after that. */
export const withinLimit = async <T>(limitMs: number, work: Promise<T>): Promise<T | typeof overdue> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<typeof overdue>((resolve) => {
    timer = setTimeout(() => resolve(overdue), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
};
