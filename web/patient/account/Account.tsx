import {
  Bell,
  CalendarDays,
  ChevronRight,
  type IconNode,
  KeyRound,
  LogOut,
  Mail,
  MonitorSmartphone,
  Palette,
  ShieldCheck,
  Smartphone,
  UserRound,
} from 'lucide';
import { useLocation } from 'preact-iso';
import { useAttempt } from '../../shared/api/attempt.ts';
import { logOut, session } from '../../shared/api/session.ts';
import { online } from '../../shared/online.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Preferences } from '../../shared/ui/Preferences.tsx';
import { Banner } from '../../shared/ui/States.tsx';
import { useCodes } from '../clinic.ts';
import form from '../form.module.css';
import { NeedsLogin } from '../login/NeedsLogin.tsx';
import { Screen, sayOnNext } from '../screen.tsx';
import { startFailure } from '../start.ts';
import { words } from '../words.ts';

const Entry = ({ href, icon, word }: { href: string; icon: IconNode; word: string }) => (
  <a class={form.entry} href={href}>
    <Icon of={icon} />
    <span>{word}</span>
    <Icon of={ChevronRight} />
  </a>
);

const Own = () => {
  const w = words.value;
  const codes = useCodes();
  const now = session.value;
  if (now.kind !== 'in') return null;
  return (
    <>
      <div class={form.item}>
        <p class={form.strong}>{now.user.name}</p>
        <p class={form.small}>
          {now.user.email ?? `+${now.user.phone_country_code} ${now.user.phone_number}`}
        </p>
      </div>
      {now.user.email === null && (
        <Banner icon={Mail}>
          {w.noEmail} <a href="/pasien/akun/email">{w.addEmail}</a>
        </Banner>
      )}
      {now.user.email !== null && !now.email_proved && (
        <Banner kind="warning" icon={Mail}>
          {w.unproved} <a href="/pasien/akun/email">{w.proveFirst}</a>
        </Banner>
      )}
      <nav class={form.menu} aria-label={w.account}>
        <Entry href="/pasien/akun/profil" icon={UserRound} word={w.profile} />
        <Entry href="/pasien/akun/kata-sandi" icon={KeyRound} word={w.changePassword} />
        {codes.byPhone && <Entry href="/pasien/akun/telepon" icon={Smartphone} word={w.loginPhone} />}
        <Entry href="/pasien/akun/pemberitahuan" icon={Bell} word={w.notices} />
        <Entry href="/pasien/akun/perangkat" icon={MonitorSmartphone} word={w.devices} />
        <Entry href="/pasien/akun/verifikasi" icon={ShieldCheck} word={w.factors} />
        <Entry href="/pasien/akun/kalender" icon={CalendarDays} word={w.feeds} />
      </nav>
    </>
  );
};

/** The last element, so that a slip of the thumb does not log out. */
const Leave = () => {
  const w = words.value;
  const { route } = useLocation();
  const leave = useAttempt(async () => {
    await logOut().catch(() => {});
    sayOnNext(w.loggedOut);
    route('/pasien/', true);
  });
  if (session.value.kind !== 'in') return null;
  return (
    <Button icon={LogOut} look="danger" wide busy={leave.busy.value} onClick={() => void leave.run()}>
      {w.logOut}
    </Button>
  );
};

const Display = () => (
  <section class={form.card} aria-labelledby="tampilan">
    <h2 id="tampilan" class={form.row}>
      {words.value.display} <Icon of={Palette} />
    </h2>
    <Preferences />
  </section>
);

const Account = () => {
  // Below the parts that still load it would move down under the thumb.
  const isSettled = session.value.kind !== 'unknown' || !online.value || startFailure.value !== null;
  return (
    <Screen title={words.value.account} back="/pasien/">
      <NeedsLogin>
        <Own />
      </NeedsLogin>
      {isSettled && <Display />}
      <Leave />
    </Screen>
  );
};

export default Account;
