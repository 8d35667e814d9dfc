import type { IconNode } from 'lucide';
import type { ComponentChildren } from 'preact';
import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { Empty } from '../../shared/ui/States.tsx';
import { isAdmin, useDoctors, useSessions } from '../data/clinic.ts';
import { useRead } from '../data/read.ts';
import { words } from '../words.ts';

/** The first thing that a clinic needs before bookings are possible; null if it has all, and until that is known. */
const useMissing = (): 'layanan' | 'dokter' | 'jadwal' | null => {
  const sessions = useSessions().value.data;
  const doctors = useDoctors().value.data;
  const schedules = useRead({
    queryKey: ['atur', 'jadwal', 'ada'],
    queryFn: async () => {
      const { data, meta } = await take(api.v1.admin.schedules.$get({ query: { limit: 100 } }));
      return meta.next_cursor !== null || data.some(({ active }) => active);
    },
    staleTime: 10_000,
  }).value.data;
  if (sessions?.length === 0) return 'layanan';
  if (doctors?.length === 0) return 'dokter';
  return schedules === false ? 'jadwal' : null;
};

interface Props {
  icon?: IconNode;
  action?: ComponentChildren;
  children: ComponentChildren;
}

/** An empty state for bookings: if none can be made yet, it says what is needed first, with a link for admins. */
export const EmptyBookings = ({ icon, action, children }: Props) => {
  const missing = useMissing();
  const text = words.value.first;
  if (missing === null)
    return (
      <Empty action={action} {...(icon !== undefined && { icon })}>
        {children}
      </Empty>
    );
  return (
    <Empty
      action={isAdmin() && <ButtonLink href={`/konsol/${missing}`}>{words.value.nav[missing]}</ButtonLink>}
    >
      {text[missing]}
      {!isAdmin() && ` ${text.askAdmin}`}
    </Empty>
  );
};
