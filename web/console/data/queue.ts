import { signal } from '@preact/signals';
import { newKey, toFailure } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { Refused, take } from '../../shared/api/take.ts';
import { afterAct, said } from './act.ts';
import { heldBooking, lookAgain, putBooking } from './day.ts';

/** By doctor and session: whether a call is in progress, and why the last one was refused. */
export const queueNotes = signal<ReadonlyMap<string, { busy?: boolean; failure?: Error }>>(new Map());

export const queueId = (queue: { doctor_id: string; session_id: string }): string =>
  `${queue.doctor_id} ${queue.session_id}`;

/** By queue: the key of a call without an answer, and who was next then. */
const keys = new Map<string, { key: string; next: string }>();

/**
 * Calls the next patient who is present. Two desks that press at once call two patients. `next` is the expected
 * patient: once it is somebody else, a press is another call.
 */
export const callNext = async (
  queue: { doctor_id: string; session_id: string },
  next = '',
): Promise<void> => {
  const id = queueId(queue);
  if (queueNotes.peek().get(id)?.busy) return;
  const note = (text: { busy?: boolean; failure?: Error }): void => {
    queueNotes.value = new Map(queueNotes.peek()).set(id, text);
  };
  note({ busy: true });
  const lost = keys.get(id);
  const key = lost?.next === next ? lost.key : newKey();
  keys.set(id, { key, next });
  try {
    const { data } = await take(
      api.v1.doctors[':id'].queue.next.$post({
        param: { id: queue.doctor_id },
        json: { session_id: queue.session_id },
        header: { 'Idempotency-Key': key },
      }),
    );
    keys.delete(id);
    note({});
    const held = heldBooking(data.id);
    if (held === undefined) void lookAgain();
    else {
      const changed = { ...held, ...data };
      putBooking(changed);
      said.value = { verb: 'call', booking: changed };
    }
    afterAct(data.id);
  } catch (error) {
    if (error instanceof Refused && error.status !== 503 && error.status !== 500) keys.delete(id);
    const failure = toFailure(error);
    note(failure === null ? {} : { failure });
  }
};
