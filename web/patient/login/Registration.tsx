import { useSignal } from '@preact/signals';
import { typedPhone } from '../../../src/core/search/phone-rules.ts';
import { register } from '../../shared/api/session.ts';
import { useForm } from '../../shared/form.ts';
import { Check, Field, PasswordField } from '../../shared/ui/Field.tsx';
import { SendButton } from '../../shared/ui/SendButton.tsx';
import { FormFailure } from '../../shared/ui/States.tsx';
import look from '../form.module.css';
import { words } from '../words.ts';

export const Registration = () => {
  const w = words.value;
  const remember = useSignal(true);
  const form = useForm(
    { name: '', phone_number: '', email: '', password: '', password_confirmation: '' },
    {
      name: w.name,
      phone_number: w.phone,
      email: w.email,
      password: w.password,
      password_confirmation: w.passwordAgain,
    },
    (given) => {
      const { code, number } = typedPhone(given.phone_number);
      return register({ ...given, phone_number: number, phone_country_code: code }, remember.value);
    },
  );
  return (
    <form class={look.form} onSubmit={form.onSubmit}>
      <FormFailure failure={form.attempt.failure.value} labels={form.labels} />
      <Field {...form.bind('name')} name="name" autocomplete="name" required maxLength={100} />
      <Field
        {...form.bind('phone_number')}
        hint={w.phoneHint}
        before="+62"
        name="phone"
        type="tel"
        inputMode="tel"
        autocomplete="tel-national"
        required
      />
      <Field
        {...form.bind('email')}
        name="email"
        type="email"
        inputMode="email"
        autocomplete="username"
        required
      />
      <PasswordField
        {...form.bind('password')}
        hint={w.passwordHint}
        name="password"
        autocomplete="new-password"
        required
      />
      <PasswordField
        {...form.bind('password_confirmation')}
        name="password_confirmation"
        autocomplete="new-password"
        required
      />
      <Check
        label={w.remember}
        checked={remember.value}
        onChange={(event) => (remember.value = event.currentTarget.checked)}
      />
      <SendButton look="primary" type="submit" wide busy={form.attempt.busy.value}>
        {w.register}
      </SendButton>
    </form>
  );
};
