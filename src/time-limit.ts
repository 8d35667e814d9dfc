export const overdue = Symbol('overdue');

/** What the work gives, or `overdue` once the limit has passed; whatever the work does after that is not waited for. */
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
