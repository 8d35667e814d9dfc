import { api } from '../../shared/api/clients.ts';
import { around, queries } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import type { Schemas } from './bookings.ts';
import { isDesk } from './clinic.ts';
import { usePages } from './pages.ts';
import { useRead } from './read.ts';

export type Match = Schemas['RecordMatch'];
export type Side = Schemas['MatchedRecord'];

const queryKey = ['cocok'];

export const matchesChanged = (): Promise<void> => queries.invalidateQueries({ queryKey });

/** How many records wait to be given to their patients; 0 for doctors, who do not decide about them. */
export const useMatchCount = (): number =>
  useRead({
    queryKey: [...queryKey, 'jumlah'],
    queryFn: async () => (await take(api.v1['record-matches'].count.$get())).data.open,
    staleTime: 60_000,
    refetchInterval: around(300_000),
    enabled: isDesk(),
  }).value.data ?? 0;

export const useMatches = () =>
  usePages<Match>([...queryKey, 'daftar'], (page) =>
    take(api.v1['record-matches'].$get({ query: { ...page, limit: 20 } })),
  );

/** Decides about a match; the list is read again, also where another desk was first. */
export const decide = async (id: string, verb: 'confirm' | 'decline', key: string): Promise<void> => {
  const sent = { param: { id }, header: { 'Idempotency-Key': key } };
  const one = api.v1['record-matches'][':id'];
  if (verb === 'confirm') await take(one.confirm.$post(sent));
  else await take(one.decline.$post(sent));
};
