import alone from '../shared/ui/Alone.module.css';
import { Button } from '../shared/ui/Button.tsx';
import { Preferences } from '../shared/ui/Preferences.tsx';
import { ReadFailure, Skeleton } from '../shared/ui/States.tsx';
import { Acts } from './Acts.tsx';
import style from './App.module.css';
import { Clinics } from './Clinics.tsx';
import { Login } from './Login.tsx';
import { SignUp } from './SignUp.tsx';
import { Signups } from './Signups.tsx';
import { isSignUp, logOut, retrySession, session } from './session.ts';
import { words } from './words.ts';

const Shell = ({ email }: { email: string }) => (
  <>
    <header class={style.head}>
      <h1>{words.value.title}</h1>
      <div class={style.who}>
        <span class={style.soft}>{email}</span>
        <Button small onClick={() => void logOut().catch(() => {})}>
          {words.value.logOut}
        </Button>
      </div>
    </header>
    <main class={style.body}>
      <Signups />
      <Clinics />
      <Acts />
      <div class={style.foot}>
        <Preferences />
      </div>
    </main>
  </>
);

/** The login, and after it the clinics. */
export const App = () => {
  const state = session.value;
  document.title = isSignUp ? words.value.signup.title : words.value.title;
  if (isSignUp) return <SignUp />;
  if (state.kind === 'in') return <Shell email={state.email} />;
  if (state.kind === 'out') return <Login ended={state.ended} />;
  return (
    <main class={alone.alone}>
      <h1>{words.value.title}</h1>
      {state.kind === 'failed' ? <ReadFailure failure={state.failure} again={retrySession} /> : <Skeleton />}
    </main>
  );
};
