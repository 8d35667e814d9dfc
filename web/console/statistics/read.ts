import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { useRead } from '../data/read.ts';

export const bys = ['day', 'week', 'month', 'doctor', 'session', 'hour', 'weekday_hour', 'lead'] as const;
export type By = (typeof bys)[number];

interface Range {
  from: string;
  to: string;
}

/** The numbers of a range, which stay the same for a minute. */
export const useStatistics = ({ from, to }: Range, by: By, enabled = true) =>
  useRead({
    queryKey: ['statistik', from, to, by],
    queryFn: () => take(api.v1.admin.statistics.$get({ query: { from, to, by } })),
    enabled,
    staleTime: 60_000,
  }).value;
