import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { queries } from './resource.ts';
import { session } from './session.ts';
import { Refused, Unreached } from './take.ts';

/** The state of a button's action: whether it is running, and its result. */
export interface Attempt<Input extends unknown[]> {
  busy: ReadonlySignal<boolean>;
  failure: ReadonlySignal<Refused | Unreached | null>;
  /** Returns whether it succeeded. While one is running, another is not started. */
  run: (...input: Input) => Promise<boolean>;
  clear: () => void;
}

/** What is said of a failed action; null where the login has ended: its form says so, and the action is not to blame. */
export const toFailure = (error: unknown): Refused | Unreached | null => {
  if (error instanceof Refused)
    return error.code === 'unauthenticated' && session.peek().kind === 'out' ? null : error;
  return error instanceof Unreached ? error : new Unreached('Failed.', { cause: error });
};

/**
 * Whether the request was done before, when its answer was lost: the service gives that answer only once, or something
 * was changed in the form since.
 */
export const isDone = (error: unknown): boolean =>
  error instanceof Refused && ['idempotency_key_spent', 'idempotency_key_reused'].includes(error.code);

/**
 * Wraps a write. Each gets an idempotency key, which stays the same until an answer came: pressed again after a lost
 * answer, it is the same request.
 */
export const useAttempt = <Input extends unknown[]>(
  work: (key: string, ...input: Input) => Promise<unknown>,
): Attempt<Input> => {
  const busy = useSignal(false);
  const failure = useSignal<Refused | Unreached | null>(null);
  const pending = useRef<{ key: string; input: string } | null>(null);
  const run = async (...input: Input): Promise<boolean> => {
    if (busy.peek()) return false;
    const text = JSON.stringify(input);
    if (pending.current?.input !== text) pending.current = { key: newKey(), input: text };
    busy.value = true;
    failure.value = null;
    try {
      await work(pending.current.key, ...input);
      pending.current = null;
      return true;
    } catch (error) {
      failure.value = toFailure(error);
      if (error instanceof Refused && error.status !== 503 && error.status !== 500) pending.current = null;
      // What it made when its answer was lost is in the lists.
      if (isDone(error)) void queries.invalidateQueries();
      return false;
    } finally {
      busy.value = false;
    }
  };
  return { busy, failure, run, clear: () => (failure.value = null) };
};

/** A key of 128 random bits; `crypto.randomUUID` needs a secure context. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
