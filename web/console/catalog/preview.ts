interface Plan {
  start_time: string;
  end_time: string;
  slot_minutes: number;
  capacity: number;
}

const parseMinutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
const two = (n: number): string => String(n).padStart(2, '0');

/** The starts of a schedule's slots; a shorter rest at the end is not a slot. */
export const listStarts = ({ start_time, end_time, slot_minutes }: Plan): string[] => {
  const [start, end] = [parseMinutes(start_time), parseMinutes(end_time)];
  if (!(slot_minutes > 0) || !(end > start)) return [];
  const count = Math.min(Math.floor((end - start) / slot_minutes), 288);
  return Array.from({ length: count }, (_, nth) => {
    const at = start + nth * slot_minutes;
    return `${two(Math.floor(at / 60))}:${two(at % 60)}`;
  });
};

/** How many slots and seats a week has. */
export const countSeats = (plans: readonly Plan[]): { slots: number; seats: number } => {
  const slots = plans.map((plan) => listStarts(plan).length);
  return {
    slots: slots.reduce((sum, n) => sum + n, 0),
    seats: slots.reduce((sum, n, nth) => sum + n * (plans[nth]?.capacity ?? 0), 0),
  };
};
