import { useRef } from 'preact/hooks';
import { ErrorBoundary } from 'preact-iso';
import { mustEnrol } from '../shared/api/enrolment.ts';
import { type Person, session } from '../shared/api/session.ts';
import { lazyOr } from '../shared/lazy.ts';
import { Button, ButtonLink } from '../shared/ui/Button.tsx';
import { Empty, Pending } from '../shared/ui/States.tsx';
import { common } from '../shared/words.ts';
import style from './App.module.css';
import { useClinic } from './data/clinic.ts';
import { Login } from './login/Login.tsx';
import { leave, useIdleEnd } from './shell/idle.ts';
import { Shell } from './shell/Shell.tsx';
import { startFailure } from './start.ts';
import { words } from './words.ts';

const Alone = ({ children }: { children: preact.ComponentChildren }) => (
  <main class={style.alone}>
    <h1>{words.value.title}</h1>
    {children}
  </main>
);

/** In the window in which the work account confirmed who is there: what follows is in the one that opened it. */
export const Returned = () => (
  <Alone>
    <p>{words.value.login.confirm.back}</p>
  </Alone>
);

const Enrolment = lazyOr(({ again }) => (
  <Alone>
    <Empty action={<Button onClick={again}>{common.value.reload}</Button>}>{common.value.failed}</Empty>
  </Alone>
))(() => import('./account/Enrolment.tsx'));

const FirstRun = lazyOr(({ again }) => (
  <Alone>
    <Empty action={<Button onClick={again}>{common.value.reload}</Button>}>{common.value.failed}</Empty>
  </Alone>
))(() => import('./first-run/FirstRun.tsx'));

/** Whether the page was opened to set a clinic up. */
const isFirstRun = location.pathname.startsWith('/mulai');

/** A person without a role in the clinic can log out here, and is logged out when idle as everybody else is. */
const NotForPatients = () => {
  useIdleEnd();
  const text = words.value;
  const ways = (
    <>
      <ButtonLink href="/pasien/">{text.toPatients}</ButtonLink>
      <Button onClick={() => leave(false)}>{text.logOut}</Button>
    </>
  );
  return <Empty action={ways}>{text.notForPatients}</Empty>;
};

/**
 * A logged-in person sees the shell. If a login ended by itself, the shell stays mounted but hidden behind the login
 * form: the same person finds their input again, and nobody else does.
 */
export const App = ({ start }: { start: () => void }) => {
  // Beside the session, so that it is there when somebody is logged in.
  useClinic();
  const state = session.value;
  const last = useRef<Person | null>(null);
  if (state.kind === 'in') last.current = state;
  if (state.kind === 'out' && !state.ended) last.current = null;
  if (state.kind === 'unknown')
    return (
      <Alone>
        <Pending rows={6} height={44} error={startFailure.value} again={start} />
      </Alone>
    );
  if (isFirstRun)
    return (
      <ErrorBoundary>
        <FirstRun />
      </ErrorBoundary>
    );
  const held = last.current;
  return (
    <>
      {state.kind === 'out' && <Login ended={state.ended} />}
      {held?.role === 'patient' && state.kind === 'in' && (
        <Alone>
          <NotForPatients />
        </Alone>
      )}
      {held !== null && held.role !== 'patient' && (
        <div key={held.user.id} hidden={state.kind !== 'in'}>
          {mustEnrol.value ? (
            <ErrorBoundary>
              <Enrolment />
            </ErrorBoundary>
          ) : (
            <Shell />
          )}
        </div>
      )}
    </>
  );
};
