import { accent } from '../shared/accent.ts';
import { open } from '../shared/api/clients.ts';
import { useResource } from '../shared/api/resource.ts';
import { take } from '../shared/api/take.ts';
import { serviceNow } from '../shared/clock.ts';
import { clinicZone, dateOf } from '../shared/time.ts';

const readClinic = async () => (await take(open.v1.clinic.$get())).data;
type Clinic = Awaited<ReturnType<typeof readClinic>>;

/** The clinic: name, phone, zone, booking windows. Read once, and refreshed from time to time. */
export const useClinic = () => {
  const clinic = useResource<Clinic>({
    queryKey: ['clinic'],
    queryFn: async () => {
      const read = await readClinic();
      clinicZone.value = read.time_zone;
      accent.value = read.color;
      return read;
    },
    staleTime: 300_000,
    meta: { isPublic: true },
  });
  return clinic.value.data;
};

/** By what patients log in without a password: a code to an e-mail, or to a phone. */
export const useCodes = () => {
  const { login_by_code: byMail = false, login_by_phone_code: byPhone = false } = useClinic() ?? {};
  return { byMail, byPhone, any: byMail || byPhone };
};

const readSessions = async () => (await take(open.v1.sessions.$get({ query: { limit: 100 } }))).data;

export const useSessions = () =>
  useResource({ queryKey: ['sessions'], queryFn: readSessions, staleTime: 300_000, meta: { isPublic: true } })
    .value;

const readDoctor = async (id: string) => (await take(open.v1.doctors[':id'].$get({ param: { id } }))).data;

export const useDoctor = (id: string) =>
  useResource({
    queryKey: ['doctor', id],
    queryFn: () => readDoctor(id),
    // A page that is being left is rendered once more, with the next address.
    enabled: id !== '',
    staleTime: 300_000,
    meta: { isPublic: true },
  }).value;

/** "SW" of Sari Wulandari */
export const initials = (name: string): string =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((part) => part.charAt(0))
    .join('')
    .toUpperCase();

/** The clinic's present date, by its own clock. */
export const today = (): string => dateOf(serviceNow());
