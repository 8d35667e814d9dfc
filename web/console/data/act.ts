import { signal } from '@preact/signals';
import { newKey, toFailure } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { queries } from '../../shared/api/resource.ts';
import { onForget } from '../../shared/api/session.ts';
import { Refused, take, type Unreached } from '../../shared/api/take.ts';
import type { Booking, Detail, Verb } from './bookings.ts';
import { heldBooking, putBooking } from './day.ts';
import { farKey, nearKey } from './waiting.ts';

/** Who changed a booking before this desk did, and when. */
export interface Conflict {
  by: string | null;
  at: string;
}

/** The message beside a row after its last attempt. */
interface Note {
  busy?: Verb;
  failure?: Refused | Unreached;
  conflict?: Conflict;
  /** The booking as it was found, where another desk was first. */
  booking?: Booking;
}

export const notes = signal<ReadonlyMap<string, Note>>(new Map());

const note = (id: string, text: Note | null): void => {
  const next = new Map(notes.peek());
  if (text === null) next.delete(id);
  else next.set(id, text);
  notes.value = next;
};

export const clearNote = (id: string): void => note(id, null);

/** The last action, for components that subscribe. */
export const said = signal<{ verb: Verb; booking: Booking } | null>(null);

onForget((ended) => {
  if (ended) return;
  notes.value = new Map();
  said.value = null;
});

const calls = api.v1.bookings[':id'];

const send = async (
  id: string,
  verb: Verb,
  key: string,
  version: number,
  reason?: string,
): Promise<Partial<Detail>> => {
  const request = { param: { id }, json: { version }, header: { 'Idempotency-Key': key } };
  const withReason = { ...request, json: { version, ...(reason ? { reason } : {}) } };
  switch (verb) {
    case 'approve':
      return (await take(calls.approve.$post(request))).data;
    case 'check-in':
      return (await take(calls['check-in'].$post(request))).data;
    case 'call':
      return (await take(calls.call.$post(request))).data;
    case 'complete':
      return (await take(calls.complete.$post(request))).data;
    case 'no-show':
      return (await take(calls['no-show'].$post(request))).data;
    case 'undo':
      return (await take(calls.undo.$post(request))).data;
    case 'skip':
      return (await take(calls.skip.$post(request))).data;
    case 'reject':
      return (await take(calls.reject.$post(withReason))).data;
    case 'cancel':
      await take(calls.cancel.$post(withReason));
      return (await take(calls.$get({ param: { id } }))).data;
  }
};

/** The booking as it is now, and who changed it last. */
export const present = async (id: string): Promise<{ booking: Booking; conflict: Conflict } | null> => {
  try {
    const [{ data: booking }, { data: events }] = await Promise.all([
      take(calls.$get({ param: { id } })),
      take(calls.events.$get({ param: { id }, query: { limit: 100 } })),
    ]);
    const last = [...events].sort((a, b) => b.version - a.version)[0];
    return { booking, conflict: { by: last?.by_name ?? null, at: last?.at ?? booking.updated_at } };
  } catch {
    return null;
  }
};

const stale = new Set(['version_mismatch', 'invalid_transition']);

/** One action has one key until its answer comes, also if it is pressed several times. */
const keys = new Map<string, string>();

/**
 * Applies a verb to a booking. The row is updated from the answer; if another desk was first, the row shows the present
 * state and who changed it. Returns whether it succeeded.
 */
export const act = async (booking: Booking, verb: Verb, reason?: string): Promise<boolean> => {
  const { id } = booking;
  if (notes.peek().get(id)?.busy !== undefined) return false;
  note(id, { busy: verb });
  const tap = `${id} ${verb} ${booking.version} ${reason ?? ''}`;
  const key = keys.get(tap) ?? newKey();
  keys.set(tap, key);
  try {
    const answer = await send(id, verb, key, booking.version, reason);
    keys.delete(tap);
    const changed = { ...(heldBooking(id) ?? booking), ...answer };
    putBooking(changed);
    note(id, null);
    said.value = { verb, booking: changed };
    afterAct(id);
    return true;
  } catch (error) {
    const failure = toFailure(error);
    if (error instanceof Refused && error.status < 500) keys.delete(tap);
    if (failure === null) {
      note(id, null);
      return false;
    }
    const now = failure instanceof Refused && stale.has(failure.code) ? await present(id) : null;
    if (now !== null) putBooking({ ...booking, ...now.booking });
    note(id, now === null ? { failure } : { failure, conflict: now.conflict, booking: now.booking });
    if (now !== null) afterAct(id);
    return false;
  }
};

/** Other views of this booking are read again. */
export const afterAct = (id: string): void => {
  for (const queryKey of [['antrean'], ['janji', id], nearKey, ['jadwal-hari'], ['pasien-janji']])
    void queries.invalidateQueries({ queryKey });
  const far = queries.getQueriesData<Booking[]>({ queryKey: farKey });
  if (far.some(([, held]) => held?.some((one) => one.id === id)))
    void queries.invalidateQueries({ queryKey: farKey });
};
