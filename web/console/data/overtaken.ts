import { api } from '../../shared/api/clients.ts';
import { Refused, take } from '../../shared/api/take.ts';
import { timeOf } from '../../shared/time.ts';
import { setup } from '../words/settings.ts';
import { words } from '../words.ts';
import { isAdmin } from './clinic.ts';

type Change =
  | 'doctor_changed'
  | 'doctor_page_changed'
  | 'session_changed'
  | 'schedule_changed'
  | 'patient_changed'
  | 'clinic_changed';

interface Changed {
  id: string;
  updated_at: string;
}

/** Who changed a record last, and when. Only admins may read the audit trail: others get only the time. */
const lastChange = async (type: Change, { id, updated_at: at }: Changed) => {
  const somebody = { by: words.value.somebody, at };
  if (!isAdmin()) return somebody;
  const whose = type === 'patient_changed' ? { patient_id: id } : {};
  const { data } = await take(api.v1.admin['security-events'].$get({ query: { type, limit: 50, ...whose } }));
  const found = data.find(
    ({ patient_id, detail }) =>
      type === 'clinic_changed' || patient_id === id || Object.values(detail ?? {}).includes(id),
  );
  return found === undefined ? somebody : { by: found.actor_name ?? somebody.by, at: found.occurred_at };
};

/**
 * Saves a record with the version that was read. If somebody else was first, the error says who and when; `reread`
 * returns the present record, and the user's input stays.
 */
export const uponRead = async <T>(
  type: Change,
  work: () => Promise<T>,
  reread: () => Promise<Changed | undefined>,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'version_mismatch') throw error;
    const present = await reread();
    if (present === undefined) throw error;
    const { by, at } = await lastChange(type, present).catch(() => ({
      by: words.value.somebody,
      at: present.updated_at,
    }));
    throw new Refused({ ...error.body, message: setup.value.conflict(by, timeOf(at)) }, error.status, null);
  }
};
