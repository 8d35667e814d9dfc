import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useAttempt } from '../../shared/api/attempt.ts';
import { logIn, logInWithFactor, type Wanted } from '../../shared/api/session.ts';
import { Refused } from '../../shared/api/take.ts';
import { PasskeyLogin } from '../../shared/factors/PasskeyLogin.tsx';
import { submitBy } from '../../shared/form.ts';
import { lazyOr } from '../../shared/lazy.ts';
import { Check, Field, PasswordField } from '../../shared/ui/Field.tsx';
import { SendButton } from '../../shared/ui/SendButton.tsx';
import { Banner, FormFailure } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import { useCodes } from '../clinic.ts';
import form from '../form.module.css';
import { PartFailure } from '../screen.tsx';
import { words } from '../words.ts';
import { Registration } from './Registration.tsx';

/** Loaded where the clinic takes codes. */
const CodeEntry = lazyOr(PartFailure)(() => import('./CodeEntry.tsx'));

interface StepProps {
  /** The address that was given before the second step ran out of time. */
  late: string | null;
  onChallenge: (wanted: Wanted, remember: boolean, email: string) => void;
}

/** The input, also where a password manager filled it in without an event. */
const typedIn = (element: HTMLFormElement | null, name: string): string =>
  (element?.elements.namedItem(name) as HTMLInputElement | null)?.value ?? '';

const Credentials = ({ late, onChallenge }: StepProps) => {
  const w = words.value;
  const element = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    if (late === null || element.current === null) return;
    (element.current.elements.namedItem('email') as HTMLInputElement).value = late;
    (element.current.elements.namedItem('password') as HTMLInputElement).focus();
  }, []);
  const attempt = useAttempt(async () => {
    const remember =
      (element.current?.elements.namedItem('remember') as HTMLInputElement | null)?.checked ?? false;
    const given = {
      email: typedIn(element.current, 'email'),
      password: typedIn(element.current, 'password'),
    };
    const wanted = await logIn({ ...given, remember });
    if (wanted !== null) onChallenge(wanted, remember, given.email);
  });
  return (
    <form class={form.form} ref={element} onSubmit={submitBy(attempt)}>
      <FormFailure failure={attempt.failure.value} />
      <Field label={w.email} name="email" type="email" autocomplete="username" inputMode="email" required />
      <PasswordField label={w.password} name="password" autocomplete="current-password" required />
      <Check label={w.remember} name="remember" defaultChecked />
      <SendButton look="primary" type="submit" wide busy={attempt.busy.value}>
        {w.logIn}
      </SendButton>
      <a class={form.link} href="/pasien/lupa-sandi">
        {w.forgot}
      </a>
    </form>
  );
};

const Factor = ({ wanted, remember, onLost }: { wanted: Wanted; remember: boolean; onLost: () => void }) => {
  const w = words.value;
  const hasApp = wanted.kinds.includes('totp');
  const isRecovery = useSignal(!hasApp);
  const typed = useSignal('');
  const attempt = useAttempt((_key) =>
    logInWithFactor(
      wanted.challenge,
      isRecovery.value ? { recovery_code: typed.value } : { code: typed.value },
      remember,
    ),
  );
  const run = async () => {
    await attempt.run();
    const failure = attempt.failure.value;
    if (failure instanceof Refused && failure.code === 'challenge_invalid') onLost();
  };
  return (
    <form
      class={form.form}
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <h2>{w.factorTitle}</h2>
      <PasskeyLogin wanted={wanted} remember={remember} onLost={onLost} />
      <FormFailure failure={attempt.failure.value} />
      <Field
        key={String(isRecovery.value)}
        label={isRecovery.value ? w.recoveryCode : w.factorCode}
        autocomplete={isRecovery.value ? 'off' : 'one-time-code'}
        inputMode={isRecovery.value ? 'text' : 'numeric'}
        required
        autoFocus
        value={typed.value}
        onInput={(event) => (typed.value = event.currentTarget.value)}
      />
      <SendButton look="primary" type="submit" wide busy={attempt.busy.value}>
        {w.verify}
      </SendButton>
      {hasApp && (
        <button
          type="button"
          class={form.asLink}
          onClick={() => {
            isRecovery.value = !isRecovery.value;
            typed.value = '';
          }}
        >
          {isRecovery.value ? w.useApp : w.useRecovery}
        </button>
      )}
    </form>
  );
};

/** Login or registration within the present screen, so that the person's choices are not lost. */
const Entry = ({ begin }: { begin?: 'daftar' | undefined }) => {
  const w = words.value;
  const takesCodes = useCodes().any;
  const chosen = useSignal<'kode' | 'masuk' | 'daftar' | undefined>(begin);
  const mode = chosen.value ?? (takesCodes ? 'kode' : 'masuk');
  const challenge = useSignal<{ wanted: Wanted; remember: boolean; email: string } | null>(null);
  const late = useSignal<string | null>(null);
  if (!globalThis.isSecureContext) return <Banner kind="warning">{common.value.insecure}</Banner>;
  if (challenge.value !== null)
    return (
      <div class={form.card}>
        <Factor
          wanted={challenge.value.wanted}
          remember={challenge.value.remember}
          onLost={() => {
            late.value = challenge.peek()?.email ?? null;
            challenge.value = null;
          }}
        />
      </div>
    );
  const isLogin = mode !== 'daftar';
  const title = { kode: w.codeTitle, masuk: w.logInTitle, daftar: w.registerTitle }[mode];
  const challenged = (wanted: Wanted, remember: boolean, email: string): void => {
    challenge.value = { wanted, remember, email };
    late.value = null;
  };
  return (
    <section class={form.card} aria-label={title}>
      <h2>{title}</h2>
      {isLogin && late.value !== null && <Banner role="status">{w.late}</Banner>}
      {mode === 'kode' && <CodeEntry onChallenge={challenged} />}
      {mode === 'masuk' && <Credentials late={late.value} onChallenge={challenged} />}
      {mode === 'daftar' && <Registration />}
      {takesCodes ? (
        <button
          type="button"
          class={form.asLink}
          onClick={() => (chosen.value = mode === 'kode' ? 'masuk' : 'kode')}
        >
          {mode === 'kode' ? w.byPassword : w.byCode}
        </button>
      ) : (
        <button
          type="button"
          class={form.asLink}
          onClick={() => (chosen.value = isLogin ? 'daftar' : 'masuk')}
        >
          {isLogin ? w.noAccount : w.toLogIn}
        </button>
      )}
    </section>
  );
};

export default Entry;
