import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { queries, useResource } from '../../shared/api/resource.ts';
import { notePerson } from '../../shared/api/session.ts';
import { take } from '../../shared/api/take.ts';
import { submitBy } from '../../shared/form.ts';
import { Field } from '../../shared/ui/Field.tsx';
import { confirmedly, Reauthentication } from '../../shared/ui/reauth.tsx';
import { SendButton } from '../../shared/ui/SendButton.tsx';
import { FormFailure, Pending } from '../../shared/ui/States.tsx';
import look from '../form.module.css';
import { NeedsLogin } from '../login/NeedsLogin.tsx';
import { Screen, said } from '../screen.tsx';
import { words } from '../words.ts';

const queryKey = ['profile'];
const readProfile = async () => (await take(api.v1.auth.profile.$get({}))).data;

type Profile = Awaited<ReturnType<typeof readProfile>>;

const noteProfile = (profile: Profile, sentence: string): void => {
  queries.setQueryData(queryKey, profile);
  notePerson({ user: profile.user });
  said.value = sentence;
};

/** The phone that logs in: set or changed by a code to the new one, and taken off. */
const PhoneForm = ({ read }: { read: Profile }) => {
  const w = words.value;
  const phone = useSignal('');
  const code = useSignal('');
  const isSent = useSignal(false);
  const first = useRef<HTMLInputElement>(null);
  const ask = useAttempt(async () => {
    const json = { phone: phone.peek() };
    await confirmedly(async () => take(api.v1.auth.phone.change.$post({ json })));
    code.value = '';
    isSent.value = true;
  });
  const verify = useAttempt(async () => {
    const json = { phone: phone.peek(), code: code.peek() };
    const { data } = await take(api.v1.auth.phone.change.verify.$post({ json }));
    isSent.value = false;
    phone.value = '';
    noteProfile(data, words.value.phoneSet);
  });
  const takeOff = useAttempt(async () => {
    const { data } = await confirmedly(async () => take(api.v1.auth.phone.$delete({})));
    noteProfile(data, words.value.phoneOff);
  });
  useEffect(() => {
    if (isSent.value) first.current?.focus();
  }, [isSent.value]);
  const step = isSent.value ? verify : ask;
  return (
    <>
      <form class={look.card} onSubmit={submitBy(step)}>
        <p>{isSent.value ? w.codeMessaged(phone.value) : w.phoneText(read.login_phone)}</p>
        <FormFailure failure={step.failure.value} labels={{ phone: w.phone, code: w.phoneCode }} />
        {isSent.value ? (
          <Field
            key="code"
            inputRef={first}
            label={w.phoneCode}
            inputMode="numeric"
            autocomplete="one-time-code"
            required
            value={code.value}
            onInput={(event) => (code.value = event.currentTarget.value)}
          />
        ) : (
          <Field
            key="phone"
            label={w.phone}
            hint={w.phoneHint}
            type="tel"
            inputMode="tel"
            autocomplete="tel"
            required
            value={phone.value}
            onInput={(event) => (phone.value = event.currentTarget.value)}
          />
        )}
        <SendButton look="primary" type="submit" wide busy={step.busy.value}>
          {isSent.value ? w.verify : w.proofSend}
        </SendButton>
        {isSent.value && (
          <SendButton
            wide
            busy={ask.busy.value}
            onClick={() => {
              verify.clear();
              isSent.value = false;
            }}
          >
            {w.otherPhone}
          </SendButton>
        )}
      </form>
      {read.login_phone !== null && !isSent.value && (
        <div class={look.card}>
          <FormFailure failure={takeOff.failure.value} />
          <SendButton wide busy={takeOff.busy.value} onClick={() => void takeOff.run()}>
            {w.phoneTakeOff(read.login_phone)}
          </SendButton>
        </div>
      )}
      <Reauthentication />
    </>
  );
};

const Read = () => {
  const { data, error, refetch } = useResource({ queryKey, queryFn: readProfile }).value;
  if (data !== undefined) return <PhoneForm read={data} />;
  return <Pending rows={2} height={96} error={error} again={refetch} />;
};

export const PhonePage = () => (
  <Screen title={words.value.loginPhone} back="/pasien/akun">
    <NeedsLogin>
      <Read />
    </NeedsLogin>
  </Screen>
);
