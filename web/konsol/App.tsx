import { useRef } from 'preact/hooks';
import { ErrorBoundary } from 'preact-iso';
import { mustEnrol } from '../shared/api/enrolment.ts';
import { type Person, session } from '../shared/api/session.ts';
import { lazyOr } from '../shared/lazy.ts';
import { Button, ButtonLink } from '../shared/ui/Button.tsx';
import { Empty, ReadFailure, Skeleton } from '../shared/ui/States.tsx';
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

const Enrolment = lazyOr(({ again }) => (
  <Alone>
    <Empty action={<Button onClick={again}>{common.value.reload}</Button>}>{common.value.failed}</Empty>
  </Alone>
))(() => import('./akun/Enrolment.tsx'));

const FirstRun = lazyOr(({ again }) => (
  <Alone>
    <Empty action={<Button onClick={again}>{common.value.reload}</Button>}>{common.value.failed}</Empty>
  </Alone>
))(() => import('./mulai/Mulai.tsx'));

/** Whether the page was opened to set a clinic up. */
const isFirstRun = location.pathname.startsWith('/mulai');

/** Whoever has no business here can leave, and is logged out as everybody else when nobody uses the page. */
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
 * Who is logged in sees the shell. Where a login ended by itself, the shell stays behind the login form, unseen: what was
 * typed is there again for the same person, and for nobody else.
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
        {startFailure.value === null ? (
          <Skeleton rows={6} height={44} />
        ) : (
          <ReadFailure failure={startFailure.value} again={start} />
        )}
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
