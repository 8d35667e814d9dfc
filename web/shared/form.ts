import { useSignal } from '@preact/signals';
import { type Attempt, useAttempt } from './api/attempt.ts';
import { Refused } from './api/take.ts';

type Texts = Readonly<Record<string, string>>;
type Typed = { currentTarget: { value: string } };

/** The service's errors, by field. */
export const wrongFields = ({
  failure,
}: Pick<Attempt<never>, 'failure'>): Readonly<Record<string, string[]>> =>
  failure.value instanceof Refused ? failure.value.fields : {};

/** The handler of a form that an attempt sends. */
export const submitBy =
  ({ run }: Pick<Attempt<[]>, 'run'>) =>
  (event: Event): void => {
    event.preventDefault();
    void run();
  };

/**
 * A form of texts, and the sending of it. `start` is what the fields hold until somebody types: of a record it is the
 * record as it is now, so what others change meanwhile shows in every field that was left alone.
 */
export const useForm = <T extends Texts>(
  start: T,
  labels: Readonly<Record<keyof T, string>>,
  send: (values: T, changes: Partial<T>, key: string) => Promise<unknown>,
) => {
  const typed = useSignal<Partial<T>>({});
  const values: T = { ...start, ...typed.value };
  // Of one form each try has the same key until an answer came, whatever was changed since: it never makes two.
  const attempt = useAttempt((key) => {
    const held = typed.peek();
    const changes = Object.entries(held).filter(([name, value]) => value !== start[name]);
    return send({ ...start, ...held }, Object.fromEntries(changes) as Partial<T>, key);
  });
  const set = (changes: Partial<T>): void => {
    typed.value = { ...typed.peek(), ...changes };
  };
  return {
    values,
    labels,
    attempt,
    set,
    clear: () => (typed.value = {}),
    isChanged: Object.entries(typed.value).some(([name, value]) => value !== start[name]),
    /** The attributes for a field of this name. */
    bind: (name: keyof T & string) => ({
      label: labels[name],
      value: values[name],
      errors: wrongFields(attempt)[name],
      onInput: ({ currentTarget }: Typed) => set({ [name]: currentTarget.value } as Partial<T>),
    }),
    onSubmit: submitBy(attempt),
  };
};
