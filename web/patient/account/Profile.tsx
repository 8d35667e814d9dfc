import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { typedPhone } from '../../../src/core/search/phone-rules.ts';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { notePerson, person } from '../../shared/api/session.ts';
import { take } from '../../shared/api/take.ts';
import { submitBy, useForm } from '../../shared/form.ts';
import { Field, PasswordField } from '../../shared/ui/Field.tsx';
import { confirmedly, Reauthentication } from '../../shared/ui/reauth.tsx';
import { SendButton } from '../../shared/ui/SendButton.tsx';
import { FormFailure } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import look from '../form.module.css';
import { NeedsLogin } from '../login/NeedsLogin.tsx';
import { Screen, said } from '../screen.tsx';
import { words } from '../words.ts';

const ProfileForm = () => {
  const w = words.value;
  const user = person.value?.user;
  const country = user?.phone_country_code ?? '62';
  const form = useForm(
    { name: user?.name ?? '', phone_number: user?.phone_number ?? '' },
    { name: w.name, phone_number: w.phone },
    async ({ name, phone_number }) => {
      const { code, number } = typedPhone(phone_number, country);
      const json = { name, phone_number: number, phone_country_code: code };
      const { data } = await take(api.v1.auth.profile.$patch({ json }));
      notePerson(data);
      said.value = common.value.saved;
    },
  );
  return (
    <form class={look.card} onSubmit={form.onSubmit}>
      <FormFailure failure={form.attempt.failure.value} labels={form.labels} />
      <Field {...form.bind('name')} autocomplete="name" required maxLength={100} />
      <Field
        {...form.bind('phone_number')}
        hint={w.phoneHint}
        before={`+${country}`}
        type="tel"
        inputMode="tel"
        autocomplete="tel-national"
        required
      />
      {user?.email !== null && (
        <Field label={w.email} hint={w.emailFixed} type="email" readOnly value={user?.email ?? ''} />
      )}
      <SendButton look="primary" type="submit" wide busy={form.attempt.busy.value}>
        {w.save}
      </SendButton>
    </form>
  );
};

export const ProfilePage = () => (
  <Screen title={words.value.profile} back="/pasien/akun">
    <NeedsLogin>
      <ProfileForm />
    </NeedsLogin>
  </Screen>
);

const PasswordForm = () => {
  const w = words.value;
  const form = useForm(
    { current_password: '', password: '', password_confirmation: '' },
    {
      current_password: w.currentPassword,
      password: w.newPassword,
      password_confirmation: w.passwordAgain,
    },
    async (json) => {
      await take(api.v1.auth.password.$post({ json }));
      form.clear();
      said.value = words.value.passwordChanged;
    },
  );
  return (
    <form class={look.card} onSubmit={form.onSubmit}>
      <FormFailure failure={form.attempt.failure.value} labels={form.labels} />
      <PasswordField {...form.bind('current_password')} autocomplete="current-password" required />
      <PasswordField {...form.bind('password')} hint={w.passwordHint} autocomplete="new-password" required />
      <PasswordField {...form.bind('password_confirmation')} autocomplete="new-password" required />
      <SendButton look="primary" type="submit" wide busy={form.attempt.busy.value}>
        {w.save}
      </SendButton>
    </form>
  );
};

export const PasswordPage = () => (
  <Screen title={words.value.changePassword} back="/pasien/akun">
    <NeedsLogin>
      <PasswordForm />
    </NeedsLogin>
  </Screen>
);

const ProofForm = () => {
  const w = words.value;
  const code = useSignal('');
  const isSent = useSignal(false);
  const send = useAttempt(async () => {
    await take(api.v1.auth.email.code.$post({}));
    isSent.value = true;
  });
  const verify = useAttempt(async () => {
    await take(api.v1.auth.email.verify.$post({ json: { code: code.value } }));
    notePerson({ email_proved: true });
    said.value = words.value.proofDone;
  });
  useEffect(() => {
    const given = new URLSearchParams(location.hash.slice(1)).get('code');
    if (given === null) return;
    history.replaceState(history.state, '', location.pathname);
    code.value = given;
    isSent.value = true;
  }, []);
  if (person.value?.email_proved) return <p>{w.proofDone}</p>;
  return (
    <div class={look.card}>
      <FormFailure failure={send.failure.value ?? verify.failure.value} labels={{ code: w.proofCode }} />
      {!isSent.value && <p>{w.proofAsk(person.value?.user.email ?? '')}</p>}
      {isSent.value && (
        <form class={look.form} onSubmit={submitBy(verify)}>
          <p>{w.proofText(person.value?.user.email ?? '')}</p>
          <Field
            label={w.proofCode}
            inputMode="numeric"
            autocomplete="one-time-code"
            required
            value={code.value}
            onInput={(event) => (code.value = event.currentTarget.value)}
          />
          <SendButton look="primary" type="submit" wide busy={verify.busy.value}>
            {w.verify}
          </SendButton>
        </form>
      )}
      <SendButton
        {...(!isSent.value && { look: 'primary' as const })}
        wide
        busy={send.busy.value}
        onClick={() => void send.run()}
      >
        {w.proofSend}
      </SendButton>
    </div>
  );
};

/** For an account that was made by a code to a phone: an e-mail, and the code from the mail to it. */
const AddEmailForm = () => {
  const w = words.value;
  const email = useSignal('');
  const code = useSignal('');
  const isSent = useSignal(false);
  const ask = useAttempt(async () => {
    const json = { email: email.value };
    await confirmedly(async () => take(api.v1.auth.email.change.$post({ json })));
    isSent.value = true;
  });
  const verify = useAttempt(async () => {
    const { data } = await take(api.v1.auth.email.change.verify.$post({ json: { code: code.value } }));
    notePerson(data);
    said.value = words.value.emailAdded;
  });
  const step = isSent.value ? verify : ask;
  const failure = step.failure.value;
  return (
    <form class={look.card} onSubmit={submitBy(step)}>
      <p>{isSent.value ? w.proofText(email.value) : w.noEmail}</p>
      <FormFailure failure={failure} labels={{ email: w.email, code: w.proofCode }} />
      {isSent.value ? (
        <Field
          key="code"
          label={w.proofCode}
          inputMode="numeric"
          autocomplete="one-time-code"
          required
          autoFocus
          value={code.value}
          onInput={(event) => (code.value = event.currentTarget.value)}
        />
      ) : (
        <Field
          key="email"
          label={w.email}
          type="email"
          inputMode="email"
          autocomplete="email"
          required
          value={email.value}
          onInput={(event) => (email.value = event.currentTarget.value)}
        />
      )}
      <SendButton look="primary" type="submit" wide busy={step.busy.value}>
        {isSent.value ? w.verify : w.proofSend}
      </SendButton>
    </form>
  );
};

export const ProofPage = () => {
  const w = words.value;
  const isWithout = person.value?.user.email === null;
  return (
    <Screen title={isWithout ? w.addEmail : w.proofTitle} back="/pasien/akun">
      <NeedsLogin>{isWithout ? <AddEmailForm /> : <ProofForm />}</NeedsLogin>
      <Reauthentication />
    </Screen>
  );
};
