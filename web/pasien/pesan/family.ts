import { api } from '../../shared/api/clients.ts';
import { useResource } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';

const readFamily = async () => (await take(api.v1.family.$get({ query: { limit: 100 } }))).data;
export type Member = Awaited<ReturnType<typeof readFamily>>[number];

/** The own record first, then the family. */
export const useFamily = (enabled = true) =>
  useResource<Member[]>({ queryKey: ['family'], queryFn: readFamily, enabled, staleTime: 60_000 }).value;
