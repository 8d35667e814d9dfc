import '../shared/tokens.css';
import '../shared/face.css';
import '../shared/base.css';
import './shell.css';
import { render } from 'preact';
import { ErrorBoundary, LocationProvider, Route, Router } from 'preact-iso';
import { mustEnrol } from '../shared/api/enrolment.ts';
import { lazyOr } from '../shared/lazy.ts';
import { Bar, Help, Navigation } from './Frame.tsx';
import { Home } from './home/Home.tsx';
import { NotLoaded } from './screen.tsx';
import { start } from './start.ts';
import { NewVersion, watchVersion } from './version.tsx';

const lazy = lazyOr(NotLoaded);
const Search = lazy(() => import('./search/Search.tsx'));
const PickTime = lazy(() => import('./book/PickTime.tsx'));
const PickAnyTime = lazy(() => import('./book/PickAnyTime.tsx'));
const Confirm = lazy(() => import('./book/Confirm.tsx'));
const TicketPage = lazy(() => import('./ticket/TicketPage.tsx'));
const Reschedule = lazy(() => import('./ticket/Reschedule.tsx'));
const Wait = lazy(() => import('./waitlist/Wait.tsx'));
const Arrive = lazy(() => import('./arrive/Arrive.tsx'));
const History = lazy(() => import('./history/History.tsx'));
const Family = lazy(() => import('./family/Family.tsx'));
const Account = lazy(() => import('./account/Account.tsx'));
const AccountPages = lazy(() => import('./account/pages.tsx'));
const Enrolment = lazy(() => import('./account/Enrolment.tsx'));
const entrance = () => import('./login/pages.tsx');
const LogIn = lazy(() => entrance().then(({ LogInPage }) => LogInPage));
const Forgot = lazy(() => entrance().then(({ ForgotPage }) => ForgotPage));
const Reset = lazy(() => entrance().then(({ ResetPage }) => ResetPage));
const Missing = lazy(() => entrance().then(({ MissingPage }) => MissingPage));

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
          <Route path="/pasien/waktu" component={PickAnyTime} />
          <Route path="/pasien/konfirmasi" component={Confirm} />
          <Route path="/pasien/tiket/:id" component={TicketPage} />
          <Route path="/pasien/tiket/:id/jadwal" component={Reschedule} />
          <Route path="/pasien/hadir" component={Arrive} />
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

start();
watchVersion();
const root = document.getElementById('app');
if (root !== null) {
  root.replaceChildren();
  render(<App />, root);
}
