interface Plan {
  start_time: string;
  end_time: string;
  slot_minutes: number;
  capacity: number;
  break_start?: string | null;
  break_end?: string | null;
}

const parseMinutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
const two = (n: number): string => String(n).padStart(2, '0');

/** The starts of a schedule's slots; a shorter rest at the end is not a slot. */
const listBetween = (from: string, until: string, slot_minutes: number): string[] => {
  const [start, end] = [parseMinutes(from), parseMinutes(until)];
  if (!(slot_minutes > 0) || !(end > start)) return [];
  const count = Math.min(Math.floor((end - start) / slot_minutes), 288);
  return Array.from({ length: count }, (_, nth) => {
    const at = start + nth * slot_minutes;
    return `${two(Math.floor(at / 60))}:${two(at % 60)}`;
  });
};

/** Those before the break and those after it, which begin at its end. */
export const listStarts = ({ start_time, end_time, slot_minutes, break_start, break_end }: Plan): string[] =>
  break_start && break_end
    ? [
        ...listBetween(start_time, break_start, slot_minutes),
        ...listBetween(break_end, end_time, slot_minutes),
      ]
    : listBetween(start_time, end_time, slot_minutes);

/** How many slots and seats a week has. */
export const countSeats = (plans: readonly Plan[]): { slots: number; seats: number } => {
  const slots = plans.map((plan) => listStarts(plan).length);
  return {
    slots: slots.reduce((sum, n) => sum + n, 0),
    seats: slots.reduce((sum, n, nth) => sum + n * (plans[nth]?.capacity ?? 0), 0),
  };
};
