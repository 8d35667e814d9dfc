import { isLimit } from '../../../src/modules/catalog/slots/limit-rules.ts';
import { api } from '../../shared/api/clients.ts';
import { useResource } from '../../shared/api/resource.ts';
import { session } from '../../shared/api/session.ts';
import { take } from '../../shared/api/take.ts';
import { useClinic, useSessions } from '../clinic.ts';
import { useFamily } from './family.ts';
import type { Slot } from './slots.ts';

interface Chosen {
  doctor: string;
  session: string;
  date: string;
  time: string;
}

interface Said {
  /** The limit of the session that keeps this patient from the slot. */
  reason: Slot['reason'] | null;
  /** Whether the booking will wait for approval, since visits were missed. */
  awaitsApproval: boolean;
}

const nothing: Said = { reason: null, awaitsApproval: false };

/** Whether the limits allow this slot to the patient, before it is booked; read only if the clinic has limits. */
export const useLimits = (
  { doctor, session: session_id, date, time }: Chosen,
  patient: string | null,
): Said => {
  const isIn = session.value.kind === 'in';
  const clinic = useClinic();
  const own = (useSessions().data ?? []).find(({ id }) => id === session_id);
  const family = useFamily(isIn).data;
  const patient_id = patient ?? family?.[0]?.id ?? '';
  const isLimited =
    (clinic?.approval_after_no_shows ?? 0) > 0 ||
    (own !== undefined &&
      (own.open_to !== 'all' || own.max_per_day !== null || own.min_days_between !== null));
  const read = useResource({
    queryKey: ['limits', doctor, session_id, date, patient_id],
    queryFn: async () => {
      const query = { from: date, to: date, session_id, include: 'unavailable', patient_id } as const;
      return take(api.v1.doctors[':id'].slots.$get({ param: { id: doctor }, query }));
    },
    enabled: isIn && isLimited && patient_id !== '' && date !== '',
    staleTime: 15_000,
  }).value.data;
  if (read === undefined) return nothing;
  const reason = read.data.find(({ schedule_time }) => schedule_time === `${time}:00`)?.reason;
  return { reason: isLimit(reason) ? reason : null, awaitsApproval: read.meta.awaits_approval === true };
};
