import { open } from '../../shared/api/clients.ts';
import { useResource } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import { addDays } from '../../shared/time.ts';
import { isHeldHere } from './hold.ts';

const readSlots = async (id: string, from: string, to: string) => {
  const query = { from, to, include: 'unavailable' } as const;
  return take(open.v1.doctors[':id'].slots.$get({ param: { id }, query }));
};
type Slots = Awaited<ReturnType<typeof readSlots>>;
type DoctorSlot = Slots['data'][number];
/** A slot; in a list of all doctors it has its doctor. */
export type Slot = DoctorSlot & { doctor_id?: string; doctor_name?: string };
type ClosedReason = NonNullable<Slot['reason']>;

/** Those of all doctors with this session, in the shape of one doctor's. */
const readSlotsOfAll = async (session_id: string, from: string, to: string) => {
  const query = { from, to, session_id, include: 'unavailable' } as const;
  const { data, meta } = await take(open.v1.slots.$get({ query }));
  return { data, meta: { ...meta, notices: [], next_available: meta.next_available ?? null } };
};

export const daysShown = 7;

/** Whose slots are shown: one doctor's, or those of all with a session. */
export type Whose = { doctor: string } | { anyOf: string };

/** A week of slots, closed ones with their reasons. */
export const useSlots = (whose: Whose, from: string) =>
  useResource<{ data: Slot[]; meta: Slots['meta'] }>({
    queryKey: ['slots', whose, from],
    queryFn: () => {
      const to = addDays(from, daysShown - 1);
      return 'doctor' in whose ? readSlots(whose.doctor, from, to) : readSlotsOfAll(whose.anyOf, from, to);
    },
    enabled: ('doctor' in whose ? whose.doctor : whose.anyOf) !== '',
    staleTime: 15_000,
    refetchInterval: 60_000,
    meta: { isPublic: true },
  }).value;

/** The slot as its holder sees it: one that is full by the own hold is free. */
export const toHolder = (slot: Slot, whose: Whose): Slot => {
  const { reason, ...rest } = slot;
  const chosen = {
    doctor: 'doctor' in whose ? whose.doctor : (slot.doctor_id ?? ''),
    session: slot.session_id,
    date: slot.schedule_date,
    time: slot.schedule_time.slice(0, 5),
  };
  return reason === 'full' && isHeldHere(chosen) ? { ...rest, remaining: 1 } : slot;
};

export interface Day {
  date: string;
  open: Slot[];
  closed: Slot[];
  free: number;
  /** Why nothing is open, if one reason applies to all. */
  why: ClosedReason | null;
}

const order: readonly ClosedReason[] = [
  'holiday',
  'leave',
  'full',
  'new_patients_only',
  'known_patients_only',
  'days_between',
  'day_limit',
  'too_soon',
  'too_far',
  'past',
];

/** The days of a week from `from`, with the open times of each. */
export const listDays = (slots: readonly Slot[], from: string): Day[] =>
  Array.from({ length: daysShown }, (_, at) => {
    const date = addDays(from, at);
    const own = slots.filter((slot) => slot.schedule_date === date);
    const isOpen = (slot: Slot) => slot.reason === undefined;
    const open = own.filter(isOpen);
    const closed = own.filter((slot) => !isOpen(slot));
    const why =
      open.length > 0
        ? null
        : (order.find((reason) => closed.some((slot) => slot.reason === reason)) ?? null);
    return { date, open, closed, free: open.reduce((sum, { remaining }) => sum + remaining, 0), why };
  });

export type Part = 'morning' | 'noon' | 'afternoon' | 'evening';

export const toDayPart = ({ schedule_time }: Slot): Part => {
  const hour = Number(schedule_time.slice(0, 2));
  if (hour < 11) return 'morning';
  if (hour < 15) return 'noon';
  return hour < 18 ? 'afternoon' : 'evening';
};

/** The sessions of a doctor's slots, in their order. */
export const sessionsIn = (slots: readonly Slot[]): { id: string; name: string }[] => {
  const seen = new Map(slots.map(({ session_id, session_name }) => [session_id, session_name]));
  return [...seen].map(([id, name]) => ({ id, name }));
};
