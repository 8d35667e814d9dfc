import { useLayoutEffect } from 'preact/hooks';
import { open } from '../../shared/api/clients.ts';
import { mustEnrol } from '../../shared/api/enrolment.ts';
import { useResource } from '../../shared/api/resource.ts';
import { session } from '../../shared/api/session.ts';
import { take } from '../../shared/api/take.ts';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { Preferences } from '../../shared/ui/Preferences.tsx';
import { Banner, Empty } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import { useZoneAwaited } from '../data/clinic.ts';
import { Login } from '../login/Login.tsx';
import { Reauthentication } from '../login/Reauthentication.tsx';
import { leave, useIdleEnd } from '../shell/idle.ts';
import { IdleQuestion } from '../shell/Shell.tsx';
import { setupToken } from '../start.ts';
import { Shown } from '../ui/Shown.tsx';
import { beginning } from '../words/first-run.ts';
import { words } from '../words.ts';
import { newLink } from './commands.ts';
import { FirstAdmin } from './FirstAdmin.tsx';
import style from './FirstRun.module.css';
import { Enrolment } from './later.tsx';
import { Steps } from './Steps.tsx';

const NoLink = () => {
  const text = beginning.value.noLink;
  return (
    <>
      <h1>{text.title}</h1>
      <p>{text.text}</p>
      <p>{text.how}</p>
      <code class={style.command}>{newLink}</code>
    </>
  );
};

/** The first admin is created here, without a login; after that people log in. */
const Outside = ({ ended }: { ended: boolean }) => {
  const state = useResource({
    queryKey: ['mulai'],
    queryFn: async () => (await take(open.v1.setup.$get())).data,
    meta: { isPublic: true },
  }).value;
  if (state.data?.open === false) return <Login ended={ended} />;
  return (
    <main class={style.alone}>
      <div class={style.card}>
        <p class={style.product}>{beginning.value.title}</p>
        {!globalThis.isSecureContext && <Banner kind="danger">{common.value.insecure}</Banner>}
        <Shown of={state}>
          {() => (setupToken.value === null ? <NoLink /> : <FirstAdmin token={setupToken.value} />)}
        </Shown>
      </div>
      <div class={style.preferences}>
        <Preferences />
      </div>
    </main>
  );
};

const Inside = ({ role }: { role: string }) => {
  useIdleEnd();
  const isAwaited = useZoneAwaited();
  if (role !== 'admin')
    return (
      <main class={style.alone}>
        <h1>{beginning.value.title}</h1>
        <Empty
          action={
            <>
              <ButtonLink href="/konsol/">{beginning.value.toConsole}</ButtonLink>
              <Button onClick={() => leave(false)}>{words.value.logOut}</Button>
            </>
          }
        >
          {beginning.value.notAdmin}
        </Empty>
      </main>
    );
  if (mustEnrol.value) return <Enrolment />;
  return (
    <>
      {!isAwaited && <Steps />}
      <IdleQuestion />
      <Reauthentication />
    </>
  );
};

/** The first run: the first admin by the set-up link, then what a clinic needs, step by step. */
const FirstRun = () => {
  const state = session.value;
  const text = beginning.value;
  useLayoutEffect(() => {
    document.title = text.title;
  }, [text]);
  if (state.kind === 'unknown') return null;
  if (state.kind === 'out') return <Outside ended={state.ended} />;
  return <Inside role={state.role} />;
};

export default FirstRun;
