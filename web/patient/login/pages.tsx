import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useAttempt } from '../../shared/api/attempt.ts';
import { open } from '../../shared/api/clients.ts';
import { session } from '../../shared/api/session.ts';
import { Refused, take } from '../../shared/api/take.ts';
import { submitBy, useForm } from '../../shared/form.ts';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { Field, PasswordField } from '../../shared/ui/Field.tsx';
import { SendButton } from '../../shared/ui/SendButton.tsx';
import { Banner, FormFailure } from '../../shared/ui/States.tsx';
import look from '../form.module.css';
import { Screen, sayOnNext } from '../screen.tsx';
import { words } from '../words.ts';
import Entry from './Entry.tsx';

/** The login page; a logged-in person is redirected to the start. */
export const LogInPage = () => {
  const w = words.value;
  const { route, path } = useLocation();
  const isIn = session.value.kind === 'in';
  useEffect(() => {
    if (isIn) route('/pasien/', true);
  }, [isIn]);
  const isRegistering = path.endsWith('/daftar');
  return (
    <Screen title={isRegistering ? w.register : w.logIn} back="/pasien/">
      <Entry begin={isRegistering ? 'daftar' : undefined} />
    </Screen>
  );
};

export const ForgotPage = () => {
  const w = words.value;
  const email = useSignal('');
  const isSent = useSignal(false);
  const attempt = useAttempt(async () => {
    await take(open.v1.auth.password.forgot.$post({ json: { email: email.value } }));
    isSent.value = true;
  });
  return (
    <Screen title={w.forgotTitle} back="/pasien/masuk">
      {isSent.value ? (
        <Banner role="status">{w.forgotSent}</Banner>
      ) : (
        <form class={look.card} onSubmit={submitBy(attempt)}>
          <p>{w.forgotText}</p>
          <FormFailure failure={attempt.failure.value} />
          <Field
            label={w.email}
            type="email"
            inputMode="email"
            autocomplete="username"
            required
            value={email.value}
            onInput={(event) => (email.value = event.currentTarget.value)}
          />
          <SendButton look="primary" type="submit" wide busy={attempt.busy.value}>
            {w.send}
          </SendButton>
        </form>
      )}
    </Screen>
  );
};

/** The token is behind `#`, so that it is not sent to a server; it is read once and removed from the address. */
const tokenOfAddress = (): string => {
  const text = location.hash.slice(1);
  if (text === '') return '';
  history.replaceState(history.state, '', location.pathname);
  return decodeURIComponent(new URLSearchParams(text).get('token') ?? text);
};

export const ResetPage = () => {
  const w = words.value;
  const { route } = useLocation();
  const isGiven = useSignal(false);
  const form = useForm(
    { token: '', password: '', password_confirmation: '' },
    { token: w.resetToken, password: w.newPassword, password_confirmation: w.passwordAgain },
    async (given) => {
      await take(open.v1.auth.password.reset.$post({ json: { ...given, token: given.token.trim() } }));
      sayOnNext(w.resetDone);
      route('/pasien/masuk', true);
    },
  );
  // Another link opened in this tab changes only the part behind the `#`.
  useEffect(() => {
    const takeToken = (): void => {
      const token = tokenOfAddress();
      if (token === '' && isGiven.peek()) return;
      form.set({ token });
      form.attempt.clear();
      isGiven.value = token !== '';
    };
    takeToken();
    addEventListener('hashchange', takeToken);
    return () => removeEventListener('hashchange', takeToken);
  }, []);
  const failure = form.attempt.failure.value;
  const isDead = failure instanceof Refused && failure.code === 'reset_token_invalid';
  return (
    <Screen title={w.resetTitle} back="/pasien/masuk">
      <form class={look.card} onSubmit={form.onSubmit}>
        <FormFailure failure={failure} labels={form.labels} />
        {isDead && <ButtonLink href="/pasien/lupa-sandi">{w.resetAgain}</ButtonLink>}
        {!isGiven.value && <Field {...form.bind('token')} autocomplete="off" required />}
        <PasswordField
          {...form.bind('password')}
          hint={w.passwordHint}
          autocomplete="new-password"
          required
        />
        <PasswordField {...form.bind('password_confirmation')} autocomplete="new-password" required />
        <SendButton look="primary" type="submit" wide busy={form.attempt.busy.value}>
          {w.save}
        </SendButton>
      </form>
    </Screen>
  );
};

export const MissingPage = () => (
  <Screen title={words.value.notFound} back="/pasien/">
    <ButtonLink href="/pasien/">{words.value.toHome}</ButtonLink>
  </Screen>
);
