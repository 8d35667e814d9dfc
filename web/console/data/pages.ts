import { useAttempt } from '../../shared/api/attempt.ts';
import type { Paged } from '../../shared/api/pages.ts';
import { queries } from '../../shared/api/resource.ts';
import { useRead } from './read.ts';

interface Held<T> {
  rows: T[];
  pages: number;
  cursor: string | null;
}

export type Cursor = { cursor?: string };

const joined = <T>(held: Held<T>, { data, meta }: Paged<T>): Held<T> => ({
  rows: [...held.rows, ...data],
  pages: held.pages + 1,
  cursor: meta.next_cursor,
});

/** A long list: its first page, and further ones on request. A refresh reads as many pages as before. */
export const usePages = <T>(
  queryKey: readonly unknown[],
  read: (page: Cursor) => Promise<Paged<T>>,
  options: { enabled?: boolean; refetchInterval?: number; staleTime?: number } = {},
) => {
  const list = useRead<Held<T>>({
    ...options,
    queryKey,
    queryFn: async () => {
      const wanted = queries.getQueryData<Held<T>>(queryKey)?.pages ?? 1;
      let held = joined<T>({ rows: [], pages: 0, cursor: null }, await read({}));
      while (held.cursor !== null && held.pages < wanted)
        held = joined(held, await read({ cursor: held.cursor }));
      return held;
    },
  }).value;
  const more = useAttempt(async () => {
    const held = queries.getQueryData<Held<T>>(queryKey);
    if (held === undefined || held.cursor === null) return;
    const page = await read({ cursor: held.cursor });
    queries.setQueryData<Held<T>>(queryKey, joined(held, page));
  });
  const rows = list.data?.rows;
  return { read: { ...list, data: rows }, rows, hasMore: (list.data?.cursor ?? null) !== null, more };
};
