import { ErrorBoundary, useLocation } from 'preact-iso';
import { lazyOr } from '../../shared/lazy.ts';
import { MissingPage } from '../login/pages.tsx';
import { NotLoaded } from '../screen.tsx';
import { words } from '../words.ts';
import { CalendarPage } from './Calendars.tsx';
import { DevicesPage } from './Devices.tsx';
import { NoticesPage } from './Notices.tsx';
import { PhonePage } from './Phone.tsx';
import { PasswordPage, ProfilePage, ProofPage } from './Profile.tsx';

// The largest of them: it draws QR codes and uses passkeys.
const FactorsPage = lazyOr(({ again }) => (
  <NotLoaded title={words.value.factors} back="/pasien/akun" again={again} />
))(() => import('./Factors.tsx'));

const pages = {
  profil: ProfilePage,
  'kata-sandi': PasswordPage,
  perangkat: DevicesPage,
  pemberitahuan: NoticesPage,
  verifikasi: FactorsPage,
  email: ProofPage,
  telepon: PhonePage,
  kalender: CalendarPage,
} as const;

/** The pages below the account, in one part that is loaded when one of them is opened. */
const AccountPages = () => {
  const name = useLocation().path.split('/').at(-1) ?? '';
  const Page = Object.hasOwn(pages, name) ? pages[name as keyof typeof pages] : MissingPage;
  return (
    <ErrorBoundary>
      <Page key={name} />
    </ErrorBoundary>
  );
};

export default AccountPages;
