/** "1 booking", "2 bookings": English alone has a word of its own for one. */
export const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;
