import { Menu } from 'lucide';
import type { AnyComponent } from 'preact';
import { useEffect } from 'preact/hooks';
import { ErrorBoundary, LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { Answers, Dialog } from '../../shared/ui/Dialog.tsx';
import { staysOpen } from '../../shared/ui/esc.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Empty, Skeleton } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import { clinicLogo, clinicName, isDesk, reportsTo, role, useZoneAwaited } from '../data/clinic.ts';
import { useMatchCount } from '../data/matches.ts';
import { useMissing } from '../data/setup.ts';
import { useWaitingCount } from '../data/waiting.ts';
import { Reauthentication } from '../login/Reauthentication.tsx';
import { Ask } from '../ui/Ask.tsx';
import { words } from '../words.ts';
import { Guard } from './Broken.tsx';
import { leave, leaving, stay, useIdleEnd } from './idle.ts';
import { Page } from './Page.tsx';
import { type Name, pages, places } from './routes.ts';
import style from './Shell.module.css';

const isHere = (path: string, url: string): boolean =>
  path === '/konsol/' ? url === '/konsol' || url === '/konsol/' : url === path || url.startsWith(`${path}/`);

const Count = ({ of }: { of: { count: number; text: string } | undefined }) =>
  of === undefined || of.count === 0 ? null : (
    <span class={style.count}>
      <span aria-hidden="true">{of.count}</span>
      <span class="aloud">{of.text}</span>
    </span>
  );

const Rail = () => {
  const { path } = useLocation();
  const waiting = useWaitingCount();
  const text = words.value;
  const matched = useMatchCount();
  const missing = useMissing().value.data?.missing.length ?? 0;
  // Entries that are there only while there is something to do, or where something is reported.
  const sometimes: Partial<Record<Name, boolean>> = {
    siap: missing > 0,
    cocok: matched > 0,
    pertukaran: reportsTo.value.length > 0,
  };
  const isShown = (name: Name): boolean => sometimes[name] ?? true;
  const counts: Partial<Record<Name, { count: number; text: string }>> = {
    persetujuan: { count: waiting, text: text.waitingCount(waiting) },
    cocok: { count: matched, text: text.matchesCount(matched) },
    siap: { count: missing, text: text.missingCount(missing) },
  };
  const links = places.map((group) =>
    group.filter(({ roles, name }) => roles.includes(role()) && isShown(name)),
  );
  const list = links.map((group, nth) => (
    <ul key={nth} class={style.group}>
      {group.map(({ name, path: to, icon }) => (
        <li key={name}>
          <a class={style.link} href={to} aria-current={isHere(to, path) ? 'page' : undefined}>
            <Icon of={icon} />
            <span class={style.word}>{text.nav[name]}</span>
            <Count of={counts[name]} />
          </a>
        </li>
      ))}
    </ul>
  ));
  return (
    <nav class={style.rail} aria-label={text.nav.label}>
      {clinicLogo.value !== null && <img class={style.logo} src={clinicLogo.value} alt="" />}
      <p class={style.clinic}>{clinicName.value || text.title}</p>
      <div class={style.lists}>{list}</div>
      <details key={path} class={style.fold}>
        <summary class={style.link}>
          <Icon of={Menu} />
          {text.nav.menu}
        </summary>
        {list}
      </details>
    </nav>
  );
};

/** Ctrl B opens the walk-in from anywhere. */
const Shortcuts = () => {
  const { route } = useLocation();
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 'b' || !isDesk())
        return;
      event.preventDefault();
      if (document.querySelector('dialog[open]') === null && !staysOpen()) route('/konsol/datang');
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return null;
};

export const IdleQuestion = () => {
  const left = leaving.value;
  const text = words.value.idle;
  if (left === null) return null;
  return (
    <Dialog title={text.title} onClose={stay}>
      <p>{text.text(left)}</p>
      <Answers>
        <Button autofocus look="primary" onClick={stay}>
          {text.stay}
        </Button>
        <Button onClick={() => leave(false)}>{text.leave}</Button>
      </Answers>
    </Dialog>
  );
};

const NotAllowed = () => {
  const text = words.value;
  return (
    <Page title={common.value.notAllowed}>
      <Empty action={<ButtonLink href="/konsol/">{text.toDay}</ButtonLink>}>
        {text.notYours(text.roles[role()])}
      </Empty>
    </Page>
  );
};

const NotFound = () => (
  <Page title={words.value.notFound}>
    <Empty action={<ButtonLink href="/konsol/">{words.value.toDay}</ButtonLink>}>
      {words.value.notFound}
    </Empty>
  </Page>
);

const Pages = () => {
  const { url } = useLocation();
  const mine = role();
  return (
    <Guard at={url}>
      <ErrorBoundary>
        <Router onRouteChange={() => scrollTo(0, 0)}>
          {pages.map(({ path, component, roles }) => (
            <Route
              key={path}
              path={path}
              component={roles.includes(mine) ? (component as AnyComponent) : NotAllowed}
            />
          ))}
          <Route default component={NotFound} />
        </Router>
      </ErrorBoundary>
    </Guard>
  );
};

export const Shell = () => {
  const isAwaited = useZoneAwaited();
  useIdleEnd();
  return (
    <LocationProvider scope="/konsol">
      <a class={style.skip} href="#isi">
        {common.value.skip}
      </a>
      {isAwaited ? (
        <div class={style.awaited}>
          <Skeleton rows={6} height={44} />
        </div>
      ) : (
        <div class={style.frame}>
          <Rail />
          <Pages />
        </div>
      )}
      <Ask />
      <Shortcuts />
      <IdleQuestion />
      <Reauthentication />
    </LocationProvider>
  );
};
