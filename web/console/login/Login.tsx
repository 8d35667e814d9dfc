import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { useAttempt } from '../../shared/api/attempt.ts';
import { logIn, logInWithFactor, type Wanted } from '../../shared/api/session.ts';
import { Refused } from '../../shared/api/take.ts';
import { PasskeyLogin } from '../../shared/factors/PasskeyLogin.tsx';
import { submitBy, wrongFields } from '../../shared/form.ts';
import alone from '../../shared/ui/Alone.module.css';
import { Button } from '../../shared/ui/Button.tsx';
import { Field, PasswordField } from '../../shared/ui/Field.tsx';
import { Preferences } from '../../shared/ui/Preferences.tsx';
import { Banner, FormFailure } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import { hasSso } from '../data/clinic.ts';
import { leftIdle } from '../shell/idle.ts';
import { words } from '../words.ts';
import style from './Login.module.css';
import { goToProvider, logInBySso, takeResponse } from './sso.ts';

const Credentials = ({ onChallenge }: { onChallenge: (wanted: Wanted) => void }) => {
  const text = words.value.login;
  const email = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const attempt = useAttempt(async () => {
    const credentials = {
      email: email.current?.value ?? '',
      password: password.current?.value ?? '',
      remember: false,
    };
    const wanted = await logIn(credentials);
    leftIdle.value = false;
    if (wanted !== null) onChallenge(wanted);
  });
  const fields =
    attempt.failure.value !== null && 'fields' in attempt.failure.value ? attempt.failure.value.fields : {};
  useLayoutEffect(() => email.current?.focus(), []);
  return (
    <form class={alone.form} onSubmit={submitBy(attempt)}>
      <FormFailure failure={attempt.failure.value} labels={{ email: text.email, password: text.password }} />
      <Field
        label={text.email}
        type="email"
        autocomplete="username"
        autocapitalize="none"
        required
        inputRef={email}
        errors={fields.email}
      />
      <PasswordField
        label={text.password}
        autocomplete="current-password"
        required
        inputRef={password}
        errors={fields.password}
      />
      <Button look="primary" type="submit" wide busy={attempt.busy.value}>
        {text.submit}
      </Button>
      <p class={style.hint}>{text.shared}</p>
    </form>
  );
};

const SecondStep = ({ wanted, onBack }: { wanted: Wanted; onBack: (why?: 'late') => void }) => {
  const text = words.value.login;
  const code = useSignal('');
  const hasApp = wanted.kinds.includes('totp');
  const isRecovery = useSignal(!hasApp);
  const input = useRef<HTMLInputElement>(null);
  const attempt = useAttempt(async () => {
    const typed = code.peek().trim();
    await logInWithFactor(
      wanted.challenge,
      isRecovery.peek() ? { recovery_code: typed } : { code: typed.replace(/\s/g, '') },
      false,
    );
  });
  useLayoutEffect(() => input.current?.focus(), [isRecovery.value]);
  const failure = attempt.failure.value;
  const wrong = wrongFields(attempt)[isRecovery.value ? 'recovery_code' : 'code'];
  useEffect(() => {
    if (failure instanceof Refused && failure.code === 'challenge_invalid') onBack('late');
  }, [failure]);
  return (
    <form class={alone.form} onSubmit={submitBy(attempt)}>
      <PasskeyLogin wanted={wanted} remember={false} onLost={() => onBack('late')} />
      <FormFailure failure={failure} labels={{ code: text.code, recovery_code: text.recovery }} />
      <Field
        label={isRecovery.value ? text.recovery : text.code}
        hint={isRecovery.value ? text.recoveryHint : text.codeHint}
        inputMode={isRecovery.value ? 'text' : 'numeric'}
        autocomplete="one-time-code"
        required
        value={code.value}
        onInput={(event) => (code.value = event.currentTarget.value)}
        inputRef={input}
        errors={wrong}
      />
      <Button look="primary" type="submit" wide busy={attempt.busy.value}>
        {text.verify}
      </Button>
      {hasApp && (
        <Button
          look="quiet"
          onClick={() => {
            isRecovery.value = !isRecovery.value;
            code.value = '';
          }}
        >
          {isRecovery.value ? text.useCode : text.useRecovery}
        </Button>
      )}
      <Button look="quiet" onClick={() => onBack()}>
        {common.value.back}
      </Button>
    </form>
  );
};

/** The login by the work account: to its provider, and back from there. */
const WorkAccount = ({ onChallenge }: { onChallenge: (wanted: Wanted) => void }) => {
  const text = words.value.login;
  const going = useAttempt(goToProvider);
  const returning = useAttempt(async (_key, response: string) => {
    const wanted = await logInBySso(response);
    leftIdle.value = false;
    if (wanted !== null) onChallenge(wanted);
  });
  useEffect(() => {
    const response = takeResponse();
    if (response !== null) void returning.run(response);
  }, []);
  return (
    <div class={alone.form}>
      <FormFailure failure={going.failure.value ?? returning.failure.value} />
      <Button wide busy={going.busy.value || returning.busy.value} onClick={() => void going.run()}>
        {text.bySso}
      </Button>
      <p class={style.or}>{text.or}</p>
    </div>
  );
};

/** The login: password, or work account, and the second factor if there is one. */
export const Login = ({ ended }: { ended: boolean }) => {
  const challenge = useSignal<Wanted | null>(null);
  const isLate = useSignal(false);
  const text = words.value.login;
  const why = isLate.value
    ? text.late
    : leftIdle.value
      ? text.idle
      : ended
        ? common.value.sessionEnded
        : null;
  return (
    <main class={alone.alone}>
      <div class={alone.card}>
        <p class={alone.product}>{words.value.title}</p>
        <h1 class={alone.title}>{challenge.value === null ? text.title : text.codeTitle}</h1>
        {!globalThis.isSecureContext && <Banner kind="danger">{common.value.insecure}</Banner>}
        {why !== null && <Banner role="status">{why}</Banner>}
        {challenge.value === null && hasSso.value && (
          <WorkAccount
            onChallenge={(wanted) => {
              challenge.value = wanted;
              isLate.value = false;
            }}
          />
        )}
        {challenge.value === null ? (
          <Credentials
            onChallenge={(wanted) => {
              challenge.value = wanted;
              isLate.value = false;
            }}
          />
        ) : (
          <SecondStep
            wanted={challenge.value}
            onBack={(why) => {
              challenge.value = null;
              isLate.value = why === 'late';
            }}
          />
        )}
      </div>
      <div class={alone.preferences}>
        <Preferences />
      </div>
    </main>
  );
};
