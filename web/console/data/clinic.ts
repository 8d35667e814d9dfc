import { effect, signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { accent } from '../../shared/accent.ts';
import { open } from '../../shared/api/clients.ts';
import { around, useResource } from '../../shared/api/resource.ts';
import { person } from '../../shared/api/session.ts';
import { take } from '../../shared/api/take.ts';
import { serviceNow, serviceTime } from '../../shared/clock.ts';
import { clinicZone, dateOf } from '../../shared/time.ts';
import { useRead } from './read.ts';

/** The service's time, some seconds old at most; the day turns with it. */
export const now = signal(serviceNow());
const tell = (): void => {
  now.value = serviceNow();
};
effect(tell);
setInterval(tell, 10_000);

export const today = (): string => dateOf(now.value);

/** How long ago the device's clock, which may be wrong, noted an instant. */
export const ageOf = (noted: number): number => now.value - serviceTime(noted);

export const clinicName = signal('');
/** The health systems that it reports visits to. */
export const reportsTo = signal<readonly string[]>([]);
/** Whether its people may log in by a work account. */
export const hasSso = signal(false);
/** The address of its logo. */
export const clinicLogo = signal<string | null>(null);

/**
 * The clinic's data: read without a login and from the first moment, since each date needs its zone. After a failure it
 * is read again at the next use, as any public data.
 */
export const useClinic = () => {
  const clinic = useResource({
    queryKey: ['klinik'],
    queryFn: async () => {
      const { data } = await take(open.v1.clinic.$get());
      clinicZone.value = data.time_zone;
      clinicName.value = data.name;
      clinicLogo.value = data.logo;
      reportsTo.value = data.reports_to;
      hasSso.value = data.staff_sso;
      accent.value = data.color;
      return data;
    },
    staleTime: 600_000,
    meta: { isPublic: true },
  });
  return clinic;
};

const longestWaitMs = 3_000;

/**
 * Whether dates wait for the clinic's zone: until it is known they may be wrong. If it cannot be read, or takes longer
 * than three seconds, they wait no more; once shown, they never wait again.
 */
export const useZoneAwaited = (): boolean => {
  const { isPending, fetchStatus, failureCount } = useClinic().value;
  const isOver = useSignal(false);
  const hasShown = useRef(false);
  useEffect(() => {
    const timer = setTimeout(() => (isOver.value = true), longestWaitMs);
    return () => clearTimeout(timer);
  }, []);
  const isAsked = isPending && fetchStatus === 'fetching' && failureCount === 0;
  hasShown.current ||= isOver.value || !isAsked;
  return !hasShown.current;
};

effect(() => {
  if (clinicName.value !== '') document.title = clinicName.value;
});

export const useDoctors = () =>
  useRead({
    queryKey: ['dokter'],
    queryFn: async () => (await take(open.v1.doctors.$get({ query: { limit: 100 } }))).data,
    staleTime: 300_000,
  });

export const useSessions = () =>
  useRead({
    queryKey: ['layanan'],
    queryFn: async () => (await take(open.v1.sessions.$get({ query: { limit: 100 } }))).data,
    staleTime: 300_000,
  });

export const queuesMs = 5_000;

/** The queues of today; numbers only, so it is read without the login. */
export const useQueues = (date: string) =>
  useRead({
    queryKey: ['antrean', date],
    // The browser's cached copy may be older than the answer to the last action.
    queryFn: async () =>
      (await take(open.v1.queues.$get({ query: { date } }, { init: { cache: 'no-cache' } }))).data,
    refetchInterval: around(queuesMs),
  });

export type Role = 'doctor' | 'staff' | 'admin';
export const role = (): Role => {
  const known = person.value?.role;
  return known === 'admin' || known === 'staff' ? known : 'doctor';
};
export const isAdmin = (): boolean => role() === 'admin';
export const isDesk = (): boolean => role() !== 'doctor';
