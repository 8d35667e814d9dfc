import type { DefaultError, QueryObserverOptions } from '@tanstack/query-core';
import { useResource } from '../../shared/api/resource.ts';
import { person } from '../../shared/api/session.ts';

type Options<T> = QueryObserverOptions<T, DefaultError, T, T, readonly unknown[]>;

const againMs = 15_000;

/**
 * Reads with the login, and rests while there is none: what stands behind the login form asks nothing. What could not be
 * refreshed is asked for again by itself.
 */
export const useRead = <T>(options: Options<T>) =>
  useResource<T>({
    refetchInterval: ({ state }) => state.status === 'error' && state.data !== undefined && againMs,
    ...options,
    enabled: person.value !== null && options.enabled !== false,
  });
