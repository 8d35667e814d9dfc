import { type Signal, signal, useSignal } from '@preact/signals';
import {
  type DefaultError,
  type Query,
  QueryClient,
  QueryObserver,
  type QueryObserverOptions,
  type QueryObserverResult,
} from '@tanstack/query-core';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { Refused } from './take.ts';

const worthRetrying = (error: unknown): boolean =>
  !(error instanceof Refused) || error.status === 503 || error.status === 500;

/** Loaded data, shared by all screens of the open page; nothing is stored in the browser. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) => count < 3 && worthRetrying(error),
      retryDelay: (count) => Math.min(1_000 * 2 ** count, 15_000),
      refetchOnWindowFocus: 'always',
      refetchOnReconnect: 'always',
    },
  },
});
queries.mount();

const isOfLogin = { predicate: ({ meta }: Query) => meta?.isPublic !== true };

/** Whether nobody is logged in: reads with a login pause then, also if their data stays for the same person. */
const isResting = signal(false);

/** Data of a login that ended by itself: hidden but not deleted, and read again when the same person logs in. */
export const restReads = (): void => {
  isResting.value = true;
  void queries.cancelQueries(isOfLogin);
};

/** Public data stays; all data read with the login is deleted. */
export const forgetReads = (): void => {
  isResting.value = true;
  queries.removeQueries(isOfLogin);
};

/** Somebody logged in: their stored data is out of date. */
export const resumeReads = (): void => {
  if (!isResting.peek()) return;
  void queries.invalidateQueries({ ...isOfLogin, refetchType: 'none' });
  isResting.value = false;
};

type Options<T> = QueryObserverOptions<T, DefaultError, T, T, readonly unknown[]>;

/** Reads data, refreshes it by the options, and returns its state as a signal. */
export const useResource = <T>(asked: Options<T>): Signal<QueryObserverResult<T>> => {
  const isKept = asked.meta?.isPublic !== true && isResting.value;
  const options = isKept ? { ...asked, enabled: false } : asked;
  const observer = useMemo(() => new QueryObserver(queries, options), []);
  const result = useSignal(observer.getOptimisticResult(queries.defaultQueryOptions(options)));
  const key = JSON.stringify(options.queryKey);
  const shownKey = useRef(key);
  if (shownKey.current !== key) {
    // Immediately, not in an effect: otherwise the previous question's answer would be visible for one frame.
    shownKey.current = key;
    result.value = observer.getOptimisticResult(queries.defaultQueryOptions(options));
  }
  useEffect(() => observer.subscribe(() => (result.value = observer.getCurrentResult())), [observer]);
  useLayoutEffect(() => {
    observer.setOptions(options);
    result.value = observer.getCurrentResult();
  }, [observer, key, options.enabled]);
  return result;
};

/** An interval, a tenth longer or shorter by chance, so that not all phones ask at once. */
export const around = (ms: number): number => Math.round(ms * (0.9 + Math.random() * 0.2));
