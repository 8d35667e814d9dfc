import { signal, useSignal } from '@preact/signals';
import { useAttempt } from '../api/attempt.ts';
import { api } from '../api/clients.ts';
import { onForget } from '../api/session.ts';
import { Refused, take } from '../api/take.ts';
import { common } from '../words.ts';
import { Button } from './Button.tsx';
import { Answers, Dialog } from './Dialog.tsx';
import { PasswordField } from './Field.tsx';
import { FormFailure } from './States.tsx';

const asked = signal<((isConfirmed: boolean) => void) | null>(null);

/**
 * Runs an action that needs a recent login; if the service demands it, asks for the password and repeats the action.
 */
export const confirmedly = async <T,>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'reauthentication_required') throw error;
    const isConfirmed = await new Promise<boolean>((resolve) => (asked.value = resolve));
    if (!isConfirmed) throw error;
    return work();
  }
};

const answer = (isConfirmed: boolean): void => {
  const resolve = asked.peek();
  asked.value = null;
  resolve?.(isConfirmed);
};

// Another person is not asked for their password to finish this person's action.
onForget(() => answer(false));

const Question = () => {
  const text = common.value.reauth;
  const password = useSignal('');
  const attempt = useAttempt(async () => {
    await take(api.v1.auth.reauthenticate.$post({ json: { password: password.peek() } }));
    answer(true);
  });
  return (
    <Dialog title={text.title} onClose={() => answer(false)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void attempt.run();
        }}
      >
        <p>{text.text}</p>
        <FormFailure failure={attempt.failure.value} labels={{ password: text.password }} />
        <PasswordField
          label={text.password}
          autocomplete="current-password"
          required
          autofocus
          value={password.value}
          onInput={(event) => (password.value = event.currentTarget.value)}
        />
        <Answers>
          <Button onClick={() => answer(false)}>{common.value.cancel}</Button>
          <Button look="primary" type="submit" busy={attempt.busy.value}>
            {text.submit}
          </Button>
        </Answers>
      </form>
    </Dialog>
  );
};

/** The place of the password question; an application has one. */
export const Reauthentication = () => (asked.value === null ? null : <Question />);
