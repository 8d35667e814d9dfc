import { api } from '../../shared/api/clients.ts';
import { readAll } from '../../shared/api/pages.ts';
import { queries } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import type { Schemas } from './bookings.ts';
import { useRead } from './read.ts';

/** All doctors, retired ones too. */
export const allDoctors = (): Promise<Schemas['AdminDoctor'][]> =>
  readAll((query) => take(api.v1.admin.doctors.$get({ query })));

export const allSessions = (): Promise<Schemas['AdminSession'][]> =>
  readAll((query) => take(api.v1.admin.sessions.$get({ query })));

export const useAllDoctors = () => useRead({ queryKey: ['atur', 'dokter'], queryFn: allDoctors });

export const useAllSessions = () => useRead({ queryKey: ['atur', 'layanan'], queryFn: allSessions });

/** Reads the set-up data again, and returns the present version of one entry. */
export const createReread =
  <T extends { id: string }>(read: () => Promise<T[]>, id: string) =>
  async (): Promise<T | undefined> => {
    const [found] = await Promise.all([read(), setupChanged()]);
    return found.find((one) => one.id === id);
  };

/** Set-up data changed: everything that shows it is read again. */
export const setupChanged = async (): Promise<void> => {
  await Promise.all(
    [['atur'], ['dokter'], ['layanan'], ['jadwal-hari'], ['antrean']].map((queryKey) =>
      queries.invalidateQueries({ queryKey }),
    ),
  );
};
