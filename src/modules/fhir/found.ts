import type { AnyActor, AnyContext } from '../auth/context.ts';
import type { Resource } from './types.ts';

/** Who asks, and when. */
export type Asking = Pick<AnyContext, 'deps' | 'now' | 'actor'>;

/** Where the next page begins. */
export type Position = readonly (string | number)[];

/** One page of a search. */
export interface FoundPage {
  matches: Resource[];
  /** How many there are on all pages; absent where that would read all patients, or years of an archive. */
  total?: number;
  next: Position | null;
  /** Whether the search names too little to be made. */
  isTooWide?: true;
}

export const isClinic = ({ role }: AnyActor): boolean => role !== 'patient' && role !== 'doctor';

/** Which records the caller may see. */
export const whose = (actor: AnyActor) => ({
  accountId: actor.userId,
  doctorId: actor.doctorId,
  isClinic: Number(isClinic(actor)),
});

/** As a statement takes a list. */
export const listed = (values: readonly unknown[] | null | undefined): string | null =>
  values == null ? null : JSON.stringify(values);

/** Which of two places comes first: those of a list are all of one form. */
export const comparePlaces = (a: Position, b: Position): number => {
  const at = a.findIndex((one, index) => one !== b[index]);
  const [one, other] = [a[at], b[at]];
  return one === undefined || other === undefined ? 0 : one < other ? -1 : 1;
};

/** The rows of a sorted list after a place. */
export const rowsAfter = <T>(
  sorted: readonly T[],
  place: (row: T) => Position,
  after: Position,
  isFalling = false,
): readonly T[] =>
  after.length === 0
    ? sorted
    : sorted.filter((row) => comparePlaces(place(row), after) * (isFalling ? -1 : 1) > 0);

/** Where the page after these begins; null if it is the last, or none was asked for. */
export const nextAfter = <T>(
  left: readonly T[],
  shown: readonly T[],
  place: (row: T) => Position,
): Position | null => {
  const last = shown.at(-1);
  return last !== undefined && left.length > shown.length ? place(last) : null;
};
