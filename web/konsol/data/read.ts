import type { DefaultError, QueryObserverOptions } from '@tanstack/query-core';
import { useResource } from '../../shared/api/resource.ts';
import { person } from '../../shared/api/session.ts';

type Options<T> = QueryObserverOptions<T, DefaultError, T, T, readonly unknown[]>;

/** Reads with the login, and rests while there is none: what stands behind the login form asks nothing. */
export const useRead = <T>(options: Options<T>) =>
  useResource<T>({ ...options, enabled: person.value !== null && options.enabled !== false });
