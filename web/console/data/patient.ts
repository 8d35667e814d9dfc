import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { useRead } from './read.ts';

export const usePatient = (id: string) =>
  useRead({
    queryKey: ['pasien', id],
    queryFn: async () => (await take(api.v1.patients[':id'].$get({ param: { id } }))).data,
    enabled: id !== '',
  });
