import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { open } from '../../shared/api/clients.ts';
import { queries } from '../../shared/api/resource.ts';
import { session } from '../../shared/api/session.ts';
import { Refused, take } from '../../shared/api/take.ts';
import { serviceNow } from '../../shared/clock.ts';
import { useCodes } from '../clinic.ts';

export interface Chosen {
  doctor: string;
  session: string;
  date: string;
  time: string;
}

/** A slot that is held for the user of this device. */
interface Held {
  slot: string;
  id: string;
  secret: string;
  /** Milliseconds since 1970, by the service's clock. */
  until: number;
}

const slotOf = ({ doctor, session, date, time }: Chosen): string => `${doctor} ${session} ${date} ${time}`;

/** In memory alone, as everything that opens something: a reload gives the slot back and holds it anew. */
export const held = signal<Held | null>(null);

/** The last hold, which lists of slots count until they are read again after its release. */
const last = signal<Held | null>(null);

const isOver = ({ until }: Held): boolean => until <= serviceNow();

/** Whether the own hold takes a seat of the slot: to its holder the slot is free. */
export const isHeldHere = (chosen: Chosen): boolean =>
  last.value?.slot === slotOf(chosen) && !isOver(last.value);

const buildHoldHeader = (hold: Held | null): Record<string, string> =>
  hold === null ? {} : { 'X-Hold-Secret': hold.secret };

/** The header that shows whose the hold is, where there is one. */
export const holdHeader = (): Record<string, string> => buildHoldHeader(held.peek());

const holdSlot = async (chosen: Chosen): Promise<void> => {
  const json = {
    doctor_id: chosen.doctor,
    session_id: chosen.session,
    schedule_date: chosen.date,
    schedule_time: `${chosen.time}:00`,
  };
  const { data } = await take(open.v1.holds.$post({ json }, { headers: buildHoldHeader(last.peek()) }));
  held.value = last.value = {
    slot: slotOf(chosen),
    id: data.id,
    secret: data.secret,
    until: Date.parse(data.expires_at),
  };
};

/** The booking took its place. */
export const forgetHold = (): void => {
  held.value = last.value = null;
};

/** Gives the slot back, so that it is free for others, and in the list of times. */
const releaseHold = async (): Promise<void> => {
  const now = held.peek();
  if (now === null) return;
  held.value = null;
  if (isOver(now)) return;
  const sent = { headers: buildHoldHeader(now), init: { keepalive: true } };
  const isReleased = await take(open.v1.holds[':id'].$delete({ param: { id: now.id } }, sent)).then(
    () => true,
    () => false,
  );
  // Otherwise it still stands: by its secret, the slot can be held again.
  if (!isReleased) return;
  // The next screen may have read the times already.
  void queries.invalidateQueries({ queryKey: ['slots'] }).then(() => {
    if (last.peek() === now) last.value = null;
  });
};

/** Why the chosen slot could not be held, if another person has it. */
export const refusal = signal<Refused | null>(null);

/** One after the other, so that the last hold is always the one that is known. */
let before: Promise<unknown> = Promise.resolve();
const inTurn = (act: () => Promise<void>): void => {
  before = before.then(act);
};

addEventListener('pagehide', () => void releaseHold());

const tryToHold = async (chosen: Chosen): Promise<void> => {
  refusal.value = null;
  try {
    await holdSlot(chosen);
  } catch (error) {
    // Without a hold the slot is booked as any other: only one that is gone is said.
    if (error instanceof Refused && ['slot_full', 'slot_unavailable'].includes(error.code))
      refusal.value = error;
  }
};

/** Holds the chosen slot for somebody who has not logged in yet, and until it is left. */
export const useHold = (chosen: Chosen) => {
  const takesCodes = useCodes().any;
  const slot = slotOf(chosen);
  const isOut = session.value.kind === 'out';
  useEffect(() => {
    if (!takesCodes || !isOut) return;
    inTurn(async () => {
      // Behind the release of the screen before.
      const now = held.peek();
      if (now === null || now.slot !== slot || isOver(now)) await tryToHold(chosen);
    });
  }, [takesCodes, isOut, slot]);
  useEffect(
    () => () => {
      refusal.value = null;
      inTurn(releaseHold);
    },
    [],
  );
  return {
    mine: held.value?.slot === slot ? held.value : null,
    again: () => inTurn(() => tryToHold(chosen)),
  };
};
