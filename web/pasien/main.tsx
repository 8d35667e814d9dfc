import '../shared/tokens.css';
import '../shared/face.css';
import '../shared/base.css';
import './shell.css';
import { type ComponentType, render } from 'preact';
import { ErrorBoundary, LocationProvider, Route, Router } from 'preact-iso';
import { mustEnrol } from '../shared/api/enrolment.ts';
import { renew, startSession } from '../shared/api/session.ts';
import { lazyOr } from '../shared/ui/lazyOr.tsx';
import { Home } from './beranda/Home.tsx';
import { Bar, Help, Navigation } from './Frame.tsx';
import { NotLoaded } from './screen.tsx';
import { TicketPage } from './tiket/TicketPage.tsx';
import { NewVersion, watchVersion } from './version.tsx';

const page = (load: () => Promise<{ default: ComponentType }>) =>
  lazyOr(() => load().then((part) => part.default), NotLoaded);

const Search = page(() => import('./cari/Search.tsx'));
const PickTime = page(() => import('./pesan/PickTime.tsx'));
const Confirm = page(() => import('./pesan/Confirm.tsx'));
const Reschedule = page(() => import('./tiket/Reschedule.tsx'));
const Wait = page(() => import('./tunggu/Wait.tsx'));
const History = page(() => import('./riwayat/History.tsx'));
const Family = page(() => import('./keluarga/Family.tsx'));
const Account = page(() => import('./akun/Account.tsx'));
const AccountPages = page(() => import('./akun/pages.tsx'));
const Enrolment = page(() => import('./akun/Enrolment.tsx'));
const entrance = () => import('./masuk/pages.tsx');
const LogIn = page(() => entrance().then((all) => ({ default: all.LogInPage })));
const Forgot = page(() => entrance().then((all) => ({ default: all.ForgotPage })));
const Reset = page(() => entrance().then((all) => ({ default: all.ResetPage })));
const Missing = page(() => entrance().then((all) => ({ default: all.MissingPage })));

const App = () => (
  <LocationProvider scope="/pasien/">
    <Bar />
    <NewVersion />
    <ErrorBoundary>
      {mustEnrol.value && <Enrolment />}
      <div hidden={mustEnrol.value}>
        <Router>
          <Route path="/pasien/" component={Home} />
          <Route path="/pasien/dokter" component={Search} />
          <Route path="/pasien/dokter/:id" component={PickTime} />
          <Route path="/pasien/konfirmasi" component={Confirm} />
          <Route path="/pasien/tiket/:id" component={TicketPage} />
          <Route path="/pasien/tiket/:id/jadwal" component={Reschedule} />
          <Route path="/pasien/tunggu" component={Wait} />
          <Route path="/pasien/riwayat" component={History} />
          <Route path="/pasien/keluarga" component={Family} />
          <Route path="/pasien/akun" component={Account} />
          <Route path="/pasien/akun/:bagian" component={AccountPages} />
          <Route path="/pasien/masuk" component={LogIn} />
          <Route path="/pasien/daftar" component={LogIn} />
          <Route path="/pasien/lupa-sandi" component={Forgot} />
          <Route path="/pasien/atur-ulang" component={Reset} />
          <Route default component={Missing} />
        </Router>
      </div>
    </ErrorBoundary>
    <Help />
    <Navigation />
  </LocationProvider>
);

/** Where the service cannot be reached it is tried again with the connection. */
const start = (): void => {
  const again = () => void renew().catch(() => addEventListener('online', again, { once: true }));
  startSession('pasien').catch(() => addEventListener('online', again, { once: true }));
};

start();
watchVersion();
const root = document.getElementById('app');
if (root !== null) {
  root.replaceChildren();
  render(<App />, root);
}
