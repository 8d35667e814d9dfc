import { api, open } from '../../shared/api/clients.ts';
import { queries } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import type { Schemas } from './bookings.ts';
import { isAdmin } from './clinic.ts';
import { useRead } from './read.ts';

interface Paged<T> {
  data: T[];
  meta: { next_cursor: string | null };
}

/** Every page of a list that is never long. */
export const allOf = async <T>(
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

const ofNoVersion = { active: true, version: 0, created_at: '', updated_at: '' };

/** All doctors, retired ones too; whoever is no admin reads those who can be booked. */
export const useAllDoctors = () =>
  useRead<Schemas['AdminDoctor'][]>({
    queryKey: ['atur', 'dokter', isAdmin()],
    queryFn: async () =>
      isAdmin()
        ? allOf((query) => take(api.v1.admin.doctors.$get({ query })))
        : (await allOf((query) => take(open.v1.doctors.$get({ query })))).map((one) => ({
            ...one,
            ...ofNoVersion,
          })),
  });

export const useAllSessions = () =>
  useRead<Schemas['AdminSession'][]>({
    queryKey: ['atur', 'layanan', isAdmin()],
    queryFn: async () =>
      isAdmin()
        ? allOf((query) => take(api.v1.admin.sessions.$get({ query })))
        : (await allOf((query) => take(open.v1.sessions.$get({ query })))).map((one) => ({
            ...one,
            ...ofNoVersion,
          })),
  });

/** What was set up changed: everything that shows it is read again. */
export const setupChanged = async (): Promise<void> => {
  await Promise.all(
    [['atur'], ['dokter'], ['layanan'], ['jadwal-hari'], ['antrean']].map((queryKey) =>
      queries.invalidateQueries({ queryKey }),
    ),
  );
};

export const fullName = ({ title, name }: { title: string; name: string }): string =>
  [title, name].filter(Boolean).join(' ');
