import { useLayoutEffect, useRef } from 'preact/hooks';
import { useForm } from '../shared/form.ts';
import alone from '../shared/ui/Alone.module.css';
import { Button } from '../shared/ui/Button.tsx';
import { Field, PasswordField } from '../shared/ui/Field.tsx';
import { Preferences } from '../shared/ui/Preferences.tsx';
import { Banner, FormFailure } from '../shared/ui/States.tsx';
import { common } from '../shared/words.ts';
import style from './App.module.css';
import { logIn } from './session.ts';
import { words } from './words.ts';

/** Password and code at once: the answer does not say which of them was wrong. */
export const Login = ({ ended }: { ended: boolean }) => {
  const text = words.value.login;
  const first = useRef<HTMLInputElement>(null);
  const form = useForm(
    { email: '', password: '', code: '' },
    { email: text.email, password: text.password, code: text.code },
    logIn,
  );
  useLayoutEffect(() => first.current?.focus(), []);
  return (
    <main class={alone.alone}>
      <div class={alone.card}>
        <p class={alone.product}>{words.value.title}</p>
        <h1 class={alone.title}>{text.title}</h1>
        {!globalThis.isSecureContext && <Banner kind="danger">{common.value.insecure}</Banner>}
        {ended && <Banner role="status">{common.value.sessionEnded}</Banner>}
        <form class={alone.form} onSubmit={form.onSubmit}>
          <FormFailure failure={form.attempt.failure.value} labels={form.labels} />
          <Field
            {...form.bind('email')}
            type="email"
            autocomplete="username"
            autocapitalize="none"
            required
            inputRef={first}
          />
          <PasswordField {...form.bind('password')} autocomplete="current-password" required />
          <Field
            {...form.bind('code')}
            hint={text.codeHint}
            inputMode="numeric"
            autocomplete="one-time-code"
            required
          />
          <Button look="primary" type="submit" wide busy={form.attempt.busy.value}>
            {text.submit}
          </Button>
        </form>
        <p class={style.soft}>{text.hint}</p>
      </div>
      <div class={alone.preferences}>
        <Preferences />
      </div>
    </main>
  );
};
