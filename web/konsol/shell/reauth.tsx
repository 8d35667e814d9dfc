import { signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { Refused, take } from '../../shared/api/take.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Answers, Dialog } from '../../shared/ui/Dialog.tsx';
import { PasswordField } from '../../shared/ui/Field.tsx';
import { FormFailure } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import { words } from '../words.ts';

const asked = signal<((isConfirmed: boolean) => void) | null>(null);

/** Does something that wants a fresh login; asks for the password where the service does, and goes on. */
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

const Question = () => {
  const text = words.value.reauth;
  const password = useRef<HTMLInputElement>(null);
  const attempt = useAttempt(async () => {
    await take(api.v1.auth.reauthenticate.$post({ json: { password: password.current?.value ?? '' } }));
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
        <FormFailure failure={attempt.failure.value} />
        <PasswordField
          label={words.value.login.password}
          autocomplete="current-password"
          required
          autofocus
          inputRef={password}
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

export const Reauthentication = () => (asked.value === null ? null : <Question />);
