import { effect, signal } from '@preact/signals';
import { accent } from '../../shared/accent.ts';
import { open } from '../../shared/api/clients.ts';
import { around, useResource } from '../../shared/api/resource.ts';
import { person } from '../../shared/api/session.ts';
import { take } from '../../shared/api/take.ts';
import { clinicZone, dateOf } from '../../shared/time.ts';
import { useRead } from './read.ts';

/** The time, some seconds old at most; the day turns with it. */
export const now = signal(Date.now());
setInterval(() => (now.value = Date.now()), 10_000);

export const today = (): string => dateOf(now.value);

export const clinicName = signal('');
/** The address of its logo. */
export const clinicLogo = signal<string | null>(null);

/** Of the clinic itself: read from the first moment, since each date waits for its zone. */
export const useClinic = () => {
  const clinic = useResource({
    queryKey: ['klinik'],
    queryFn: async () => {
      const { data } = await take(open.v1.clinic.$get());
      clinicZone.value = data.time_zone;
      clinicName.value = data.name;
      clinicLogo.value = data.logo;
      accent.value = data.color;
      return data;
    },
    staleTime: 600_000,
    meta: { isPublic: true },
  });
  return clinic;
};

/** Whether the clinic is still asked for its zone: a date is another clinic's until then. */
export const isZoneAwaited = (clinic: ReturnType<typeof useClinic>): boolean => {
  const { isPending, fetchStatus, failureCount } = clinic.value;
  return isPending && fetchStatus === 'fetching' && failureCount === 0;
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
    // What the browser keeps may be older than the press that was answered just now.
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
