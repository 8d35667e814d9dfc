import { useLocation } from 'preact-iso';
import { MissingPage } from '../masuk/pages.tsx';
import { DevicesPage } from './Devices.tsx';
import { FactorsPage } from './Factors.tsx';
import { PasswordPage, ProfilePage, ProofPage } from './Profile.tsx';

const pages = {
  profil: ProfilePage,
  'kata-sandi': PasswordPage,
  perangkat: DevicesPage,
  verifikasi: FactorsPage,
  email: ProofPage,
} as const;

/** The pages below the account, in one part that is loaded when one of them is opened. */
const AccountPages = () => {
  const name = useLocation().path.split('/').at(-1) ?? '';
  const Page = Object.hasOwn(pages, name) ? pages[name as keyof typeof pages] : MissingPage;
  return <Page key={name} />;
};

export default AccountPages;
