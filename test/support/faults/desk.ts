import type { Answer, Settled } from './acknowledged.ts';
import type { Bookable, Person } from './clinic-file.ts';
import type { Sender } from './sender.ts';

const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(Math.random() * list.length)];

/** Refusals because of another desk, or of a full day. */
const refusals = new Set([
  'slot_full',
  // At midnight the day of the desks is over.
  'slot_unavailable',
  'patient_busy',
  'invalid_transition',
  'version_mismatch',
  'queue_empty',
]);

/**
 * Desks that let patients walk in beyond the capacity, call, skip, take back and send home, each the bookings of all:
 * so nobody knows an answer beforehand, but each acknowledged one has to have happened, once.
 */
export const openDesks = (send: Sender, staff: Person, patients: readonly Person[], slot: Bookable) => {
  /** The versions of the live bookings in the last answer about them. */
  const seen = new Map<string, number>();
  const settled: Settled[] = [];

  const order = async (path: string, body: object): Promise<Answer> => {
    const [key, requestId] = [crypto.randomUUID(), crypto.randomUUID()];
    const sent = { path, body, userId: staff.id, token: staff.token, key, requestId };
    const answer = await send(sent);
    settled.push({ order: sent, answer });
    if (answer.status >= 300 && (answer.status !== 409 || !refusals.has(answer.body.code)))
      throw new Error(`${path} was refused: ${answer.status} ${answer.text}`);
    return answer;
  };
  const walkIn = async (): Promise<void> => {
    const body = { ...slot, patient_id: pick(patients)?.id, check_in: true, overbook: true };
    const answer = await order('/v1/bookings', body);
    if (answer.status === 201) seen.set(answer.body.data.id, 1);
  };
  const next = async (): Promise<void> => {
    const answer = await order(`/v1/doctors/${slot.doctor_id}/queue/next`, {});
    if (answer.status === 200) seen.set(answer.body.data.id, answer.body.data.version);
  };
  const does = (verb: string) => async (): Promise<void> => {
    const [id, version] = pick([...seen]) ?? [];
    if (id === undefined) return;
    const answer = await order(`/v1/bookings/${id}/${verb}`, { ...(verb === 'undo' && { version }) });
    const present = answer.body.data?.version ?? answer.body.version;
    if (present !== undefined) seen.set(id, present);
    if (answer.body.data?.status === 'canceled' || answer.body.booking_status === 'canceled') seen.delete(id);
  };
  const verbs = [walkIn, walkIn, next, next, next, does('skip'), does('skip'), does('undo'), does('undo')];
  verbs.push(does('check-in'), does('complete'), does('cancel'));
  // No booking of theirs is known as a patient's own is.
  return { known: new Map(), settled, act: async () => pick(verbs)?.() };
};
