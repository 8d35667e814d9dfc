/** A booking as far as it decides whether it overlaps another: instants in milliseconds. */
interface Timed {
  id: string;
  status: string;
  startsAt: number;
  endsAt: number;
}

/** The live bookings of `source` that overlap live ones of `target`, as pairs. */
export const findPairs = <B extends Timed>(
  source: readonly B[],
  target: readonly B[],
): { source: B; into: B }[] => {
  const isLive = ({ status }: B) => status !== 'canceled';
  const live = target.filter(isLive);
  return source
    .filter(isLive)
    .flatMap((from) =>
      live
        .filter((into) => into.startsAt < from.endsAt && from.startsAt < into.endsAt)
        .map((into) => ({ source: from, into })),
    );
};
