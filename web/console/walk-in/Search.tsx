import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import { api } from '../../shared/api/clients.ts';
import { take, Unreached } from '../../shared/api/take.ts';
import { ReadFailure } from '../../shared/ui/States.tsx';
import { useRead } from '../data/read.ts';
import type { Chosen } from './chosen.ts';

interface Search {
  /** Undefined until the service has answered. */
  found: Chosen[] | undefined;
  /** Why it has not, as far as is known. */
  failure: Error | null;
  again: () => unknown;
}

/** Patients whose name or number matches the present input. */
export const useFound = (typed: string): Search => {
  const text = useSignal('');
  useEffect(() => {
    const timer = setTimeout(() => (text.value = typed.trim()), 250);
    return () => clearTimeout(timer);
  }, [typed]);
  const q = text.value;
  const { data, failureReason, fetchStatus, refetch } = useRead({
    queryKey: ['cari-pasien', q],
    queryFn: async () => ({ q, all: (await take(api.v1.patients.$get({ query: { q, limit: 8 } }))).data }),
    enabled: q.length >= 3,
    staleTime: 30_000,
  }).value;
  // While the person types, the stored answer is for an older text.
  const isOfNow = q === typed.trim();
  const found = isOfNow && data?.q === q ? data.all : undefined;
  // Without a connection no request is sent, so none fails.
  const why = fetchStatus === 'paused' ? new Unreached('Offline.') : failureReason;
  return { found, failure: isOfNow && found === undefined ? why : null, again: refetch };
};

/** Shows that the search has failed, so that it is not taken for an empty result. */
export const SearchFailure = ({ of, field }: { of: Search; field: RefObject<HTMLInputElement | null> }) =>
  of.failure === null ? null : (
    <ReadFailure
      failure={of.failure}
      again={() => {
        // The button disappears with the failure.
        field.current?.focus();
        return of.again();
      }}
    />
  );
