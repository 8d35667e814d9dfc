import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useAttempt } from '../api/attempt.ts';
import { api } from '../api/clients.ts';
import { onForget } from '../api/session.ts';
import { Refused, take } from '../api/take.ts';
import { common } from '../words.ts';
import { Button } from './Button.tsx';
import { Answers, Dialog } from './Dialog.tsx';
import { Field, PasswordField } from './Field.tsx';
import { FormFailure } from './States.tsx';

const asked = signal<((isConfirmed: boolean) => void) | null>(null);

/**
 * Runs an action that needs a recent login; if the service demands it, asks for the password, or a code in its place, and repeats the action.
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

interface Ask {
  /** What is typed, under its name in the request. */
  name: 'password' | 'sent_code';
  label: string;
}

const Form = ({ name, label }: Ask) => {
  const text = common.value.reauth;
  const typed = useSignal('');
  const attempt = useAttempt(async () => {
    await take(api.v1.auth.reauthenticate.$post({ json: { [name]: typed.peek() } }));
    answer(true);
  });
  const field = {
    label,
    required: true,
    autofocus: true,
    value: typed.value,
    onInput: (event: { currentTarget: HTMLInputElement }) => (typed.value = event.currentTarget.value),
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void attempt.run();
      }}
    >
      <p>{name === 'password' ? text.text : text.sent}</p>
      <FormFailure failure={attempt.failure.value} labels={{ [name]: label }} />
      {name === 'password' ? (
        <PasswordField {...field} autocomplete="current-password" />
      ) : (
        <Field {...field} inputMode="numeric" autocomplete="one-time-code" />
      )}
      <Answers>
        <Button onClick={() => answer(false)}>{common.value.cancel}</Button>
        <Button look="primary" type="submit" busy={attempt.busy.value}>
          {text.submit}
        </Button>
      </Answers>
    </form>
  );
};

/** For an account without a password: a code is sent first. */
const ByCode = () => {
  const text = common.value.reauth;
  const isSent = useSignal(false);
  const send = useAttempt(async () => {
    await take(api.v1.auth.reauthenticate.code.$post({}));
    isSent.value = true;
  });
  if (isSent.value) return <Form name="sent_code" label={text.code} />;
  return (
    <>
      <p>{text.byCode}</p>
      <FormFailure failure={send.failure.value} />
      <Answers>
        <Button onClick={() => answer(false)}>{common.value.cancel}</Button>
        <Button look="primary" busy={send.busy.value} onClick={() => void send.run()}>
          {text.send}
        </Button>
      </Answers>
    </>
  );
};

const Question = () => {
  const text = common.value.reauth;
  const hasPassword = useSignal(true);
  useEffect(() => {
    // Without an answer the password is asked for, as for most.
    take(api.v1.auth.profile.$get({})).then(
      ({ data }) => (hasPassword.value = data.has_password || data.role !== 'patient'),
      () => {},
    );
  }, []);
  return (
    <Dialog title={text.title} onClose={() => answer(false)}>
      {hasPassword.value ? <Form name="password" label={text.password} /> : <ByCode />}
    </Dialog>
  );
};

/** The place of the password question; an application has one. */
export const Reauthentication = () => (asked.value === null ? null : <Question />);
