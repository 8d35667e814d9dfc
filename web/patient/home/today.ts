import { open } from '../../shared/api/clients.ts';
import { useResource } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import { serviceNow } from '../../shared/clock.ts';
import { clockTime, timeOf, zoneName } from '../../shared/time.ts';
import { words } from '../words.ts';

interface Hours {
  isHoliday: boolean;
  /** When the first slot of today begins and the last one ends, of those that nothing closes; null without any. */
  open: { from: string; to: string } | null;
}

const readHours = async (): Promise<Hours> => {
  const { data } = await take(open.v1.slots.$get({ query: { include: 'unavailable' } }));
  const held = data.filter(({ reason }) => reason !== 'holiday' && reason !== 'leave');
  const from = held.map((slot) => slot.schedule_time).sort()[0];
  const to = held
    .map((slot) => slot.ends_at)
    .sort()
    .at(-1);
  return {
    isHoliday: data.some(({ reason }) => reason === 'holiday'),
    open: from === undefined || to === undefined ? null : { from, to },
  };
};

/** Whether the clinic is open today, in words, by the hours of its doctors; null until it is known. */
export const useToday = (): string | null => {
  const w = words.value;
  const { data } = useResource({
    queryKey: ['hours'],
    queryFn: readHours,
    staleTime: 300_000,
    meta: { isPublic: true },
  }).value;
  if (data === undefined) return null;
  if (data.open === null) return data.isHoliday ? w.holidayToday : w.closedToday;
  const { from, to } = data.open;
  if (Date.parse(to) < serviceNow()) return w.overToday;
  // Midnight, where the day ends.
  const end = timeOf(to).replace(/^00(?=.00$)/, '24');
  return w.openToday(`${clockTime(from)}–${end} ${zoneName(to)}`);
};
