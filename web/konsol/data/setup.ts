import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { isAdmin } from './clinic.ts';
import { useRead } from './read.ts';

/** What the clinic still lacks; with the others of `atur` it is read anew when something was set up. */
export const useMissing = () =>
  useRead({
    queryKey: ['atur', 'belum'],
    queryFn: async () => (await take(api.v1.admin.setup.$get())).data,
    staleTime: 60_000,
    enabled: isAdmin(),
  });
