import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { notePerson, person } from '../../shared/api/session.ts';
import { Refused, take } from '../../shared/api/take.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Field, PasswordField } from '../../shared/ui/Field.tsx';
import { FormFailure } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import form from '../form.module.css';
import { NeedsLogin } from '../masuk/NeedsLogin.tsx';
import { bareNumber } from '../phone.ts';
import { Screen, said } from '../screen.tsx';
import { words } from '../words.ts';

const ProfileForm = () => {
  const w = words.value;
  const user = person.value?.user;
  const name = useSignal(user?.name ?? '');
  const phone = useSignal(user?.phone_number ?? '');
  const country = user?.phone_country_code ?? '62';
  const attempt = useAttempt(async () => {
    const json = {
      name: name.value,
      phone_number: bareNumber(phone.value, country),
      phone_country_code: country,
    };
    const { data } = await take(api.v1.auth.profile.$patch({ json }));
    notePerson(data);
    said.value = common.value.saved;
  });
  const failure = attempt.failure.value;
  const wrong = failure instanceof Refused ? failure.fields : {};
  return (
    <form
      class={form.card}
      onSubmit={(event) => {
        event.preventDefault();
        void attempt.run();
      }}
    >
      <FormFailure failure={failure} labels={{ name: w.name, phone_number: w.phone }} />
      <Field
        label={w.name}
        autocomplete="name"
        required
        maxLength={100}
        value={name.value}
        errors={wrong.name}
        onInput={(event) => (name.value = event.currentTarget.value)}
      />
      <Field
        label={w.phone}
        hint={w.phoneHint}
        before={`+${country}`}
        type="tel"
        inputMode="tel"
        autocomplete="tel-national"
        required
        value={phone.value}
        errors={wrong.phone_number}
        onInput={(event) => (phone.value = event.currentTarget.value)}
      />
      <Field label={w.email} type="email" readOnly value={user?.email ?? ''} />
      <Button look="primary" type="submit" wide busy={attempt.busy.value}>
        {w.save}
      </Button>
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
  const given = useSignal({ current: '', next: '', again: '' });
  const set = (field: keyof typeof given.value) => (event: { currentTarget: { value: string } }) => {
    given.value = { ...given.value, [field]: event.currentTarget.value };
  };
  const attempt = useAttempt(async () => {
    const { current, next, again } = given.value;
    const json = { current_password: current, password: next, password_confirmation: again };
    await take(api.v1.auth.password.$post({ json }));
    given.value = { current: '', next: '', again: '' };
    said.value = words.value.passwordChanged;
  });
  const failure = attempt.failure.value;
  const wrong = failure instanceof Refused ? failure.fields : {};
  const labels = {
    current_password: w.currentPassword,
    password: w.newPassword,
    password_confirmation: w.passwordAgain,
  };
  return (
    <form
      class={form.card}
      onSubmit={(event) => {
        event.preventDefault();
        void attempt.run();
      }}
    >
      <FormFailure failure={failure} labels={labels} />
      <PasswordField
        label={w.currentPassword}
        autocomplete="current-password"
        required
        value={given.value.current}
        errors={wrong.current_password}
        onInput={set('current')}
      />
      <PasswordField
        label={w.newPassword}
        hint={w.passwordHint}
        autocomplete="new-password"
        required
        value={given.value.next}
        errors={wrong.password}
        onInput={set('next')}
      />
      <PasswordField
        label={w.passwordAgain}
        autocomplete="new-password"
        required
        value={given.value.again}
        errors={wrong.password_confirmation}
        onInput={set('again')}
      />
      <Button look="primary" type="submit" wide busy={attempt.busy.value}>
        {w.save}
      </Button>
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
    <div class={form.card}>
      <FormFailure failure={send.failure.value ?? verify.failure.value} labels={{ code: w.proofCode }} />
      {isSent.value && (
        <form
          class={form.form}
          onSubmit={(event) => {
            event.preventDefault();
            void verify.run();
          }}
        >
          <p>{w.proofText(person.value?.user.email ?? '')}</p>
          <Field
            label={w.proofCode}
            inputMode="numeric"
            autocomplete="one-time-code"
            required
            value={code.value}
            onInput={(event) => (code.value = event.currentTarget.value)}
          />
          <Button look="primary" type="submit" wide busy={verify.busy.value}>
            {w.verify}
          </Button>
        </form>
      )}
      <Button
        {...(!isSent.value && { look: 'primary' as const })}
        wide
        busy={send.busy.value}
        onClick={() => void send.run()}
      >
        {w.proofSend}
      </Button>
    </div>
  );
};

export const ProofPage = () => (
  <Screen title={words.value.proofTitle} back="/pasien/akun">
    <NeedsLogin>
      <ProofForm />
    </NeedsLogin>
  </Screen>
);
