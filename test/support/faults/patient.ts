import type { Answer, Settled } from './acknowledged.ts';
import type { Bookable, Person } from './clinic-file.ts';
import type { Sender } from './sender.ts';

/** A booking as its patient knows it from acknowledged answers alone. */
export interface Known {
  id: string;
  slot: Bookable;
  status: 'live' | 'canceled';
  approved: boolean;
  /** How many changes were acknowledged: its version, therefore. */
  changes: number;
}

const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(Math.random() * list.length)];

const refusals = new Set(['slot_full', 'patient_busy', 'too_many_bookings']);

/**
 * One patient who books, moves and cancels, and a receptionist who approves for them, one order at a time: so every
 * answer is known beforehand, but for who wins a seat.
 */
export const livePatient = (send: Sender, person: Person, staff: Person, slots: readonly Bookable[]) => {
  const known = new Map<string, Known>();
  const settled: Settled[] = [];
  const acknowledged = () => settled.filter(({ answer }) => answer.status < 300);
  const live = () => [...known.values()].filter(({ status }) => status === 'live');

  const order = async (path: string, body: object, { id, token } = person): Promise<Answer> => {
    const [key, requestId] = [crypto.randomUUID(), crypto.randomUUID()];
    const sent = { path, body, userId: id, token, key, requestId };
    // Now and then the app sends twice, before any answer.
    const twice = Math.random() < 0.1;
    const answers = await Promise.all(twice ? [send(sent), send(sent)] : [send(sent)]);
    const answer = answers.find(({ status }) => status < 300) ?? (answers[0] as Answer);
    // Full a moment ago and free now is no contradiction; any other refusal beside a success is.
    const others = answers.filter(({ text, body }) => text !== answer.text && body.code !== 'slot_full');
    if (answer.status < 300 && others.length > 0)
      throw new Error(`${path} was answered in two ways: ${answers.map(({ text }) => text).join(' and ')}`);
    settled.push({ order: sent, answer });
    if (answer.status >= 300 && (answer.status !== 409 || !refusals.has(answer.body.code)))
      throw new Error(`${path} was refused: ${answer.status} ${answer.text}`);
    return answer;
  };

  const create = async (): Promise<void> => {
    const slot = pick(slots);
    if (slot === undefined) return;
    const answer = await order('/v1/bookings', { ...slot, notes: 'x' });
    if (answer.status === 201) {
      const { id } = answer.body.data;
      known.set(id, { id, slot, status: 'live', approved: false, changes: 1 });
    }
  };
  const cancel = async (): Promise<void> => {
    const booking = pick(live());
    if (booking === undefined) return;
    await order(`/v1/bookings/${booking.id}/cancel`, {});
    booking.status = 'canceled';
    booking.changes += 1;
  };
  const move = async (): Promise<void> => {
    const booking = pick(live());
    const slot = pick(slots);
    if (booking === undefined || slot === undefined || slot === booking.slot) return;
    const answer = await order(`/v1/bookings/${booking.id}/reschedule`, slot);
    if (answer.status !== 200) return;
    booking.slot = slot;
    booking.approved = false;
    booking.changes += 1;
  };
  const approve = async (): Promise<void> => {
    const booking = pick(live().filter(({ approved }) => !approved));
    if (booking === undefined) return;
    await order(`/v1/bookings/${booking.id}/approve`, {}, staff);
    booking.approved = true;
    booking.changes += 1;
  };
  /** An old request comes again: nothing happens, and the answer is the same to the byte. */
  const repeat = async (): Promise<void> => {
    const past = pick(acknowledged());
    if (past === undefined) return;
    const answer = await send(past.order);
    if (answer.text !== past.answer.text || answer.status !== past.answer.status || !answer.replayed)
      throw new Error(`A repeat was answered differently: ${past.answer.text} and ${answer.text}`);
  };

  const verbs = [create, create, create, cancel, move, move, approve, repeat];
  return {
    person,
    known,
    settled,
    act: async () => pick(verbs)?.(),
  };
};

/** The sender of orders, a patient or a desk. */
export type AtWork = Pick<ReturnType<typeof livePatient>, 'known' | 'settled' | 'act'>;
