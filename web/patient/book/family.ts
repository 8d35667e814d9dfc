import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api } from '../../shared/api/clients.ts';
import { useResource } from '../../shared/api/resource.ts';
import { session } from '../../shared/api/session.ts';
import { take } from '../../shared/api/take.ts';
import { words } from '../words.ts';

const readFamily = async () => (await take(api.v1.family.$get({ query: { limit: 100 } }))).data;
export type Member = Awaited<ReturnType<typeof readFamily>>[number];

/** The account's own record first, then the family. */
export const useFamily = (enabled = true) =>
  useResource<Member[]>({ queryKey: ['family'], queryFn: readFamily, enabled, staleTime: 60_000 }).value;

/**
 * An action for a family member waits until the family is loaded. An earlier press is not lost: it takes effect after
 * loading, unless there is a choice to make or the login has ended.
 */
export const useFamilyFirst = (act: () => void) => {
  const enabled = session.value.kind === 'in';
  const { data, error } = useFamily(enabled);
  const isWanted = useSignal(false);
  const isComing = enabled && data === undefined && error === null;
  useEffect(() => {
    if (isComing || !isWanted.peek()) return;
    isWanted.value = false;
    if (data !== undefined && data.length <= 1) act();
  }, [isComing]);
  return {
    press: (): void => {
      if (isComing) isWanted.value = true;
      else act();
    },
    isPressed: isWanted.value,
    /** The name of the chosen patient, where it is not the own record. */
    nameOf: (chosen: string | null): string | null =>
      data?.find(({ id, relation }) => id === chosen && relation !== 'self')?.name ?? null,
    why: data === undefined && error !== null && words.value.familyFirst,
  };
};
