import { useSignal } from '@preact/signals';
import { useAttempt } from '../../shared/api/attempt.ts';
import { register } from '../../shared/api/session.ts';
import { Refused } from '../../shared/api/take.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Check, Field, PasswordField } from '../../shared/ui/Field.tsx';
import { FormFailure } from '../../shared/ui/States.tsx';
import form from '../form.module.css';
import { bareNumber } from '../phone.ts';
import { words } from '../words.ts';

export const Registration = () => {
  const w = words.value;
  const given = useSignal({ name: '', phone: '', email: '', password: '', again: '' });
  const remember = useSignal(true);
  const set = (name: keyof typeof given.value) => (event: { currentTarget: { value: string } }) => {
    given.value = { ...given.value, [name]: event.currentTarget.value };
  };
  const attempt = useAttempt(() => {
    const { name, phone, email, password, again } = given.value;
    const number = { phone_number: bareNumber(phone, '62'), phone_country_code: '62' };
    return register({ name, ...number, email, password, password_confirmation: again }, remember.value);
  });
  const failure = attempt.failure.value;
  const wrong = failure instanceof Refused ? failure.fields : {};
  const { name, phone, email, password, again } = given.value;
  const labels = {
    name: w.name,
    phone_number: w.phone,
    email: w.email,
    password: w.password,
    password_confirmation: w.passwordAgain,
  };
  return (
    <form
      class={form.form}
      onSubmit={(event) => {
        event.preventDefault();
        void attempt.run();
      }}
    >
      <FormFailure failure={failure} labels={labels} />
      <Field
        label={w.name}
        name="name"
        autocomplete="name"
        required
        maxLength={100}
        value={name}
        errors={wrong.name}
        onInput={set('name')}
      />
      <Field
        label={w.phone}
        hint={w.phoneHint}
        before="+62"
        name="phone"
        type="tel"
        inputMode="tel"
        autocomplete="tel-national"
        required
        value={phone}
        errors={wrong.phone_number}
        onInput={set('phone')}
      />
      <Field
        label={w.email}
        name="email"
        type="email"
        inputMode="email"
        autocomplete="username"
        required
        value={email}
        errors={wrong.email}
        onInput={set('email')}
      />
      <PasswordField
        label={w.password}
        hint={w.passwordHint}
        name="password"
        autocomplete="new-password"
        required
        value={password}
        errors={wrong.password}
        onInput={set('password')}
      />
      <PasswordField
        label={w.passwordAgain}
        name="password_confirmation"
        autocomplete="new-password"
        required
        value={again}
        errors={wrong.password_confirmation}
        onInput={set('again')}
      />
      <Check
        label={w.remember}
        checked={remember.value}
        onChange={(event) => (remember.value = event.currentTarget.checked)}
      />
      <Button look="primary" type="submit" wide busy={attempt.busy.value}>
        {w.register}
      </Button>
    </form>
  );
};
