import type { DefaultError, QueryObserverOptions } from '@tanstack/query-core';
import { useResource } from '../../shared/api/resource.ts';
import { person } from '../../shared/api/session.ts';

type Options<T> = QueryObserverOptions<T, DefaultError, T, T, readonly unknown[]>;

const againMs = 15_000;

/**
 * Reads that need a login, and that pause without one: the pages hidden behind the login form send no requests. A
 * failed refresh is retried automatically.
 */
export const useRead = <T>(options: Options<T>) =>
  useResource<T>({
    refetchInterval: ({ state }) => state.status === 'error' && state.data !== undefined && againMs,
    ...options,
    enabled: person.value !== null && options.enabled !== false,
  });
