import { CircleUserRound, History, type IconNode, Ticket, Users } from 'lucide';
import { useLocation } from 'preact-iso';
import { Icon } from '../shared/ui/Icon.tsx';
import { common } from '../shared/words.ts';
import { useClinic } from './clinic.ts';
import style from './Frame.module.css';
import { toHeading } from './screen.tsx';
import { words } from './words.ts';

interface Place {
  href: string;
  icon: IconNode;
  word: 'home' | 'history' | 'family';
}

const places: readonly Place[] = [
  { href: '/pasien/', icon: Ticket, word: 'home' },
  { href: '/pasien/riwayat', icon: History, word: 'history' },
  { href: '/pasien/keluarga', icon: Users, word: 'family' },
];

export const Bar = () => {
  const clinic = useClinic();
  return (
    <header class={style.bar}>
      <button type="button" class={`${style.skip} aloud`} onClick={toHeading}>
        {common.value.skip}
      </button>
      <div class={style.inner}>
        <a class={style.name} href="/pasien/">
          {clinic?.logo && <img class={style.logo} src={clinic.logo} alt="" />}
          {clinic?.name || words.value.app}
        </a>
        <a class={style.account} href="/pasien/akun">
          <Icon of={CircleUserRound} size={24} />
          <span>{words.value.account}</span>
        </a>
      </div>
    </header>
  );
};

export const Navigation = () => {
  const { path } = useLocation();
  const isHere = (href: string): boolean =>
    href === '/pasien/' ? /^\/pasien\/?$/.test(path) : path.startsWith(href);
  return (
    <nav class={style.nav} aria-label={words.value.nav}>
      <ul class={style.places}>
        {places.map(({ href, icon, word }) => (
          <li key={href}>
            <a class={style.place} href={href} aria-current={isHere(href) ? 'page' : undefined}>
              <Icon of={icon} size={24} />
              {words.value[word]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
};

/** The clinic's phone, in the same place on every screen. */
export const Help = () => {
  const clinic = useClinic();
  if (!clinic?.phone) return null;
  return (
    <footer class={style.help}>
      {words.value.help}: <a href={`tel:${clinic.phone.replaceAll(/[^\d+]/g, '')}`}>{clinic.phone}</a>
    </footer>
  );
};
