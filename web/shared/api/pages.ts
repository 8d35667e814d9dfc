export interface Paged<T> {
  data: T[];
  meta: { next_cursor: string | null };
}

/** Every page of a list that is never long. */
export const readAll = async <T>(
  read: (page: { limit: number; cursor?: string }) => Promise<Paged<T>>,
): Promise<T[]> => {
  const found: T[] = [];
  let cursor: string | null = null;
  do {
    const page: Paged<T> = await read(cursor === null ? { limit: 100 } : { limit: 100, cursor });
    found.push(...page.data);
    cursor = page.meta.next_cursor;
  } while (cursor !== null);
  return found;
};
