import { signal, useSignal } from '@preact/signals';
import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { useAttempt } from '../api/attempt.ts';
import { api } from '../api/clients.ts';
import { onForget } from '../api/session.ts';
import { Refused, take } from '../api/take.ts';
import { knowsPasskeys, usePasskey } from '../factors/passkey.ts';
import { usePasskeyTry } from '../factors/usePasskeyTry.tsx';
import { submitBy } from '../form.ts';
import { common } from '../words.ts';
import { Button } from './Button.tsx';
import look from './Dialog.module.css';
import { Answers, Dialog } from './Dialog.tsx';
import { Field, PasswordField } from './Field.tsx';
import { FormFailure, ReadFailure, Skeleton } from './States.tsx';

const asked = signal<((isConfirmed: boolean) => void) | null>(null);

/**
 * Runs an action that needs a recent login; if the service demands it, asks for the password, or for what the
 * service takes in its place, and repeats the action.
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

/** How somebody shows that it is them; `sso` alone, or beside a password; `login` where only another login can. */
type Way = 'password' | 'password or sso' | 'sso' | 'login' | 'code' | { hasPasskey: boolean };

/** A way that one application has, to be called done once the service has confirmed it. */
export interface OtherWay {
  way: 'password or sso' | 'sso' | 'login';
  onDone: () => void;
}
type Other = ComponentType<OtherWay> | undefined;

interface Ask {
  label: string;
  text: string;
  kind: 'password' | 'digits' | 'text';
  /** What is sent of what was typed. */
  proof: (
    typed: string,
  ) => { password: string } | { sent_code: string } | { code: string } | { recovery_code: string };
  children?: ComponentChildren;
}

const Form = ({ label, text, kind, proof, children }: Ask) => {
  const typed = useSignal('');
  const attempt = useAttempt(async () => {
    await take(api.v1.auth.reauthenticate.$post({ json: proof(typed.peek()) }));
    answer(true);
  });
  const input = useRef<HTMLInputElement>(null);
  // What stood here before may have had the focus.
  useLayoutEffect(() => input.current?.focus(), []);
  const field = {
    label,
    required: true,
    inputRef: input,
    value: typed.value,
    onInput: (event: { currentTarget: HTMLInputElement }) => (typed.value = event.currentTarget.value),
  };
  const labels = { password: label, sent_code: label, code: label, recovery_code: label };
  return (
    <form class={look.form} onSubmit={submitBy(attempt)}>
      <p>{text}</p>
      <FormFailure failure={attempt.failure.value} labels={labels} />
      {kind === 'password' ? (
        <PasswordField {...field} autocomplete="current-password" />
      ) : (
        <Field {...field} inputMode={kind === 'digits' ? 'numeric' : 'text'} autocomplete="one-time-code" />
      )}
      {children}
      <Answers>
        <Cancel />
        <Button look="primary" type="submit" busy={attempt.busy.value}>
          {common.value.reauth.submit}
        </Button>
      </Answers>
    </form>
  );
};

const Cancel = () => <Button onClick={() => answer(false)}>{common.value.cancel}</Button>;

/** For an account without a password: a code is sent first. */
const ByCode = () => {
  const text = common.value.reauth;
  const isSent = useSignal(false);
  const send = useAttempt(async () => {
    await take(api.v1.auth.reauthenticate.code.$post({}));
    isSent.value = true;
  });
  if (isSent.value)
    return <Form kind="digits" label={text.code} text={text.sent} proof={(code) => ({ sent_code: code })} />;
  return (
    <>
      <p>{text.byCode}</p>
      <FormFailure failure={send.failure.value} />
      <Answers>
        <Cancel />
        <Button look="primary" busy={send.busy.value} onClick={() => void send.run()}>
          {text.send}
        </Button>
      </Answers>
    </>
  );
};

const ByPasskey = () => {
  const { trying, told } = usePasskeyTry();
  const attempt = useAttempt(() =>
    trying(async () => {
      const { challenge, passkey } = (await take(api.v1.auth.reauthenticate.options.$post({}))).data;
      const json = { challenge, assertion: await usePasskey(passkey) };
      await take(api.v1.auth.reauthenticate.$post({ json }));
      answer(true);
    }),
  );
  return (
    <>
      <FormFailure failure={attempt.failure.value} />
      {told}
      <Button wide busy={attempt.busy.value} onClick={() => void attempt.run()}>
        {common.value.passkey.use}
      </Button>
    </>
  );
};

/** What the service takes of this account: its password, else its second factor, else the work account, or a code that is sent. */
const readWay = async (): Promise<Way> => {
  const { data } = await take(api.v1.auth.profile.$get({}));
  if (data.has_password) return data.confirms_by_sso ? 'password or sso' : 'password';
  if (data.confirms_by_sso) return 'sso';
  const { factors } = (await take(api.v1.auth['second-factors'].$get())).data;
  if (factors.length > 0) return { hasPasskey: factors.some(({ kind }) => kind === 'passkey') };
  return data.role === 'patient' ? 'code' : 'login';
};

const Answering = ({ way, other: Other }: { way: Way; other: Other }) => {
  const text = common.value.reauth;
  if (way === 'code') return <ByCode />;
  if (way === 'sso' || way === 'login')
    return (
      <>
        {Other && <Other way={way} onDone={() => answer(true)} />}
        <Answers>
          <Cancel />
        </Answers>
      </>
    );
  if (typeof way === 'string')
    return (
      <Form kind="password" label={text.password} text={text.text} proof={(password) => ({ password })}>
        {way === 'password or sso' && Other && <Other way={way} onDone={() => answer(true)} />}
      </Form>
    );
  return (
    <Form
      kind="text"
      label={text.factor}
      text={text.byFactor}
      proof={(typed) => {
        const digits = typed.replaceAll(/\s/g, '');
        return /^\d{6}$/.test(digits) ? { code: digits } : { recovery_code: typed.trim() };
      }}
    >
      {way.hasPasskey && knowsPasskeys() && <ByPasskey />}
    </Form>
  );
};

const Question = ({ other }: { other: Other }) => {
  const way = useSignal<Way | null>(null);
  const read = useAttempt(async () => {
    way.value = await readWay();
  });
  useEffect(() => void read.run(), []);
  const failure = read.failure.value;
  return (
    <Dialog title={common.value.reauth.title} onClose={() => answer(false)}>
      {way.value !== null ? (
        <Answering way={way.value} other={other} />
      ) : (
        <>
          {failure === null ? <Skeleton rows={1} /> : <ReadFailure failure={failure} again={read.run} />}
          <Answers>
            <Cancel />
          </Answers>
        </>
      )}
    </Dialog>
  );
};

/** The place of the question; an application has one. */
export const Reauthentication = ({ other }: { other?: Other }) =>
  asked.value === null ? null : <Question other={other} />;
