import {
  ArrowLeftRight,
  CalendarClock,
  CalendarDays,
  CalendarOff,
  CalendarRange,
  ChartColumn,
  Download,
  HeartPulse,
  Hospital,
  Hourglass,
  type IconNode,
  Inbox,
  KeyRound,
  ListChecks,
  ListOrdered,
  ScrollText,
  Stethoscope,
  TabletSmartphone,
  UserCheck,
  UserCog,
  Users,
  Webhook,
} from 'lucide';
import { lazyOr } from '../../shared/lazy.ts';
import type { Role } from '../data/clinic.ts';
import { Day } from '../day/Day.tsx';
import type { Words } from '../words/id.ts';
import { Broken } from './Broken.tsx';

const lazy = lazyOr(Broken);

export type Name = Exclude<keyof Words['nav'], 'label' | 'menu'>;

interface Place {
  name: Name;
  path: string;
  icon: IconNode;
  roles: readonly Role[];
}

const all: readonly Role[] = ['doctor', 'staff', 'admin'];
const desk: readonly Role[] = ['staff', 'admin'];
const admin: readonly Role[] = ['admin'];

/** The entries of the navigation: the day's work, then the set-up. */
export const places: readonly (readonly Place[])[] = [
  [
    { name: 'hari', path: '/konsol/', icon: CalendarDays, roles: all },
    { name: 'kalender', path: '/konsol/kalender', icon: CalendarClock, roles: desk },
    { name: 'antrean', path: '/konsol/antrean', icon: ListOrdered, roles: all },
    { name: 'persetujuan', path: '/konsol/persetujuan', icon: Inbox, roles: all },
    { name: 'pasien', path: '/konsol/pasien', icon: Users, roles: desk },
    { name: 'cocok', path: '/konsol/cocok', icon: UserCheck, roles: desk },
    { name: 'tunggu', path: '/konsol/tunggu', icon: Hourglass, roles: desk },
  ],
  [
    { name: 'siap', path: '/konsol/siap', icon: ListChecks, roles: admin },
    { name: 'dokter', path: '/konsol/dokter', icon: Stethoscope, roles: all },
    { name: 'layanan', path: '/konsol/layanan', icon: HeartPulse, roles: all },
    { name: 'jadwal', path: '/konsol/jadwal', icon: CalendarRange, roles: all },
    { name: 'tutup', path: '/konsol/tutup', icon: CalendarOff, roles: all },
    { name: 'orang', path: '/konsol/orang', icon: UserCog, roles: admin },
    { name: 'klinik', path: '/konsol/klinik', icon: Hospital, roles: admin },
    { name: 'kunci', path: '/konsol/kunci', icon: KeyRound, roles: admin },
    { name: 'kios', path: '/konsol/kios', icon: TabletSmartphone, roles: admin },
    { name: 'webhook', path: '/konsol/webhook', icon: Webhook, roles: admin },
    { name: 'pertukaran', path: '/konsol/pertukaran', icon: ArrowLeftRight, roles: desk },
    { name: 'audit', path: '/konsol/audit', icon: ScrollText, roles: admin },
    { name: 'statistik', path: '/konsol/statistik', icon: ChartColumn, roles: admin },
    { name: 'ekspor', path: '/konsol/ekspor', icon: Download, roles: admin },
  ],
];

/** Every page, and who may see it. All but the day are loaded when they are opened. */
export const pages = [
  { path: '/konsol/', component: Day, roles: all },
  {
    path: '/konsol/kalender',
    component: lazy(() => import('../calendar/CalendarPage.tsx')),
    roles: desk,
  },
  { path: '/konsol/antrean', component: lazy(() => import('../queue/Queue.tsx')), roles: all },
  {
    path: '/konsol/persetujuan',
    component: lazy(() => import('../approvals/Approvals.tsx')),
    roles: all,
  },
  { path: '/konsol/datang', component: lazy(() => import('../walk-in/WalkIn.tsx')), roles: desk },
  { path: '/konsol/pindah/:id', component: lazy(() => import('../move/Move.tsx')), roles: all },
  { path: '/konsol/kontrol/:id', component: lazy(() => import('../follow-up/FollowUp.tsx')), roles: all },
  {
    path: '/konsol/rangkaian/:id',
    component: lazy(() => import('../series/Series.tsx')),
    roles: desk,
  },
  { path: '/konsol/tunggu', component: lazy(() => import('../waitlist/Waitlist.tsx')), roles: desk },
  { path: '/konsol/cocok', component: lazy(() => import('../matches/Matches.tsx')), roles: desk },
  { path: '/konsol/pasien', component: lazy(() => import('../patients/Search.tsx')), roles: desk },
  { path: '/konsol/impor', component: lazy(() => import('../import/Import.tsx')), roles: admin },
  { path: '/konsol/pasien/:id', component: lazy(() => import('../patients/Patient.tsx')), roles: desk },
  { path: '/konsol/siap', component: lazy(() => import('../missing/Missing.tsx')), roles: admin },
  { path: '/konsol/dokter', component: lazy(() => import('../catalog/Doctors.tsx')), roles: all },
  {
    path: '/konsol/dokter/:id/halaman',
    component: lazy(() => import('../doctor-page/DoctorPage.tsx')),
    roles: desk,
  },
  { path: '/konsol/layanan', component: lazy(() => import('../catalog/Sessions.tsx')), roles: all },
  { path: '/konsol/jadwal', component: lazy(() => import('../catalog/Schedules.tsx')), roles: all },
  { path: '/konsol/tutup', component: lazy(() => import('../closures/Closures.tsx')), roles: all },
  { path: '/konsol/orang', component: lazy(() => import('../people/People.tsx')), roles: admin },
  { path: '/konsol/klinik', component: lazy(() => import('../clinic/Clinic.tsx')), roles: admin },
  { path: '/konsol/kunci', component: lazy(() => import('../keys/Keys.tsx')), roles: admin },
  { path: '/konsol/kios', component: lazy(() => import('../kiosk/Kiosk.tsx')), roles: admin },
  { path: '/konsol/webhook', component: lazy(() => import('../webhooks/Webhooks.tsx')), roles: admin },
  { path: '/konsol/pertukaran', component: lazy(() => import('../exchange/Exchanges.tsx')), roles: desk },
  { path: '/konsol/audit', component: lazy(() => import('../audit/Audit.tsx')), roles: admin },
  { path: '/konsol/akun', component: lazy(() => import('../account/Account.tsx')), roles: all },
  { path: '/konsol/statistik', component: lazy(() => import('../statistics/Statistics.tsx')), roles: admin },
  { path: '/konsol/ekspor', component: lazy(() => import('../export/Export.tsx')), roles: admin },
] as const;
