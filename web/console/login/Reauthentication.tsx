import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useAttempt } from '../../shared/api/attempt.ts';
import alone from '../../shared/ui/Alone.module.css';
import { Button } from '../../shared/ui/Button.tsx';
import { Reauthentication as Asked, type OtherWay } from '../../shared/ui/reauth.tsx';
import { Banner, FormFailure } from '../../shared/ui/States.tsx';
import { leave } from '../shell/idle.ts';
import { words } from '../words.ts';
import { awaitResponse, type Confirming, confirmIn, finishConfirming } from './sso.ts';

/** The work account confirms in a window of its own, so that what was begun in this one stays. */
const WorkAccount = ({ way, onDone }: OtherWay) => {
  const text = words.value.login.confirm;
  const begun = useRef<Confirming | null>(null);
  const told = useSignal<'away' | 'blocked' | null>(null);
  const finish = useAttempt(async (_key, answer: string) => {
    const confirming = begun.current;
    begun.current = null;
    told.value = null;
    if (confirming !== null) await finishConfirming(answer, confirming);
    onDone();
  });
  const begin = useAttempt(async () => {
    finish.clear();
    // Before anything is awaited: afterwards browsers block it.
    const opened = window.open('', '', 'popup,width=520,height=720');
    told.value = opened === null ? 'blocked' : null;
    if (opened === null) return;
    begun.current = await confirmIn(opened);
    told.value = 'away';
  });
  useEffect(
    () =>
      awaitResponse((answer, state) => {
        if (state === begun.current?.state) void finish.run(answer);
      }),
    [],
  );
  return (
    <div class={alone.form}>
      {way === 'sso' && <p>{text.text}</p>}
      <FormFailure failure={begin.failure.value ?? finish.failure.value} />
      {told.value !== null && <Banner role="status">{text[told.value]}</Banner>}
      <Button wide busy={begin.busy.value || finish.busy.value} onClick={() => void begin.run()}>
        {text.submit}
      </Button>
    </div>
  );
};

/** An account that is not linked with a work account yet, of a role whose passwords are off: a login links it, and is recent. */
const LoginAnew = () => {
  const text = words.value.login.confirm;
  return (
    <div class={alone.form}>
      <p>{text.anew}</p>
      <Button wide onClick={() => leave(false)}>
        {text.logInAnew}
      </Button>
    </div>
  );
};

const Other = (other: OtherWay) => (other.way === 'login' ? <LoginAnew /> : <WorkAccount {...other} />);

/** The place of the question who is there, in the console. */
export const Reauthentication = () => <Asked other={Other} />;
