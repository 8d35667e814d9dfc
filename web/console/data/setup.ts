import { api } from '../../shared/api/clients.ts';
import { queries } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import { isAdmin } from './clinic.ts';
import { useRead } from './read.ts';

const queryKey = ['atur', 'belum'];

/** Something of what it lacks may have changed that is not set up with the others. */
export const missingChanged = (): Promise<void> => queries.invalidateQueries({ queryKey });

/** What the clinic still needs; like the other data of `atur`, it is read again after each change of the set-up. */
export const useMissing = () =>
  useRead({
    queryKey,
    queryFn: async () => (await take(api.v1.admin.setup.$get())).data,
    staleTime: 60_000,
    enabled: isAdmin(),
  });
