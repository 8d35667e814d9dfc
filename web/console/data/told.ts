import { signal } from '@preact/signals';
import type { Schemas } from '../../../client/index.ts';
import { api } from '../../shared/api/clients.ts';
import { onForget, person } from '../../shared/api/session.ts';
import { Refused, take } from '../../shared/api/take.ts';
import { addDays } from '../../shared/dates/days.ts';
import { keep, kept } from '../../shared/preferences.ts';
import { today } from './clinic.ts';
import {
  isUnread,
  parseRead,
  type Read,
  shorten,
  type Told,
  toTold,
  withTold,
  writeRead,
} from './told-rules.ts';

type Change = Schemas['BookingChange'];

/** What patients did themselves to visits of today and tomorrow, and nobody has read in this browser, the newest first. */
export const told = signal<readonly Told[]>([]);

/** The last change that was looked at; null before the first. */
let heard: number | null = null;

onForget((ended) => {
  if (ended) return;
  told.value = [];
  heard = null;
});

// Positions alone are stored, of each account: what happened is asked for again.
const storedAs = (): string => `kabar-${person.value?.user.id.slice(-12)}`;
const stored = (): Read | null => parseRead(kept(storedAs()));
const store = (read: Read): void => {
  const text = writeRead(read);
  if (kept(storedAs()) !== text) keep(storedAs(), text);
};

/** Another tab may have read some of them. */
const settle = (lines: readonly Told[]): void => {
  const read = stored() ?? { upTo: heard ?? 0, after: [] };
  const unread = lines.filter((line) => isUnread(read, line));
  store(shorten(read, unread, heard ?? 0));
  if (unread.length !== told.peek().length || unread.some((line, at) => line !== told.peek()[at]))
    told.value = unread;
};

/** Takes in what happened up to a position. `nameOf` knows the patients of bookings that the caller sees no longer. */
export const hear = (
  changes: readonly Change[],
  sequence: number,
  nameOf: (id: string) => string | null = () => null,
): void => {
  const from = heard ?? sequence;
  const dates = [today(), addDays(today(), 1)];
  const newer = changes
    .filter((change) => change.sequence > from)
    .map((change) => toTold(change, dates, nameOf(change.booking_id)))
    .filter((line) => line !== null);
  heard = Math.max(from, sequence);
  settle(withTold(told.peek(), newer));
};

/** After a night there are a few hundred changes. After a longer time not all of them are shown. */
const mostPages = 10;

/** Takes in what happened after the last visit of this browser, or while other pages were open, up to a position. */
export const catchUp = async (sequence: number): Promise<void> => {
  if (heard === null) {
    const read = stored();
    // A database that was restored from a copy begins at an earlier position.
    if (read === null || read.upTo > sequence) store({ upTo: sequence, after: [] });
    heard = Math.min(read?.upTo ?? sequence, sequence);
  }
  for (let page = 0; heard < sequence; page++) {
    const { data, meta } = await readAfter(heard, page);
    hear(data, meta?.sequence ?? sequence);
  }
};

const readAfter = async (after: number, page: number) => {
  if (page === mostPages) return { data: [], meta: null };
  try {
    return await take(api.v1.bookings.changes.$get({ query: { after, limit: 100 } }));
  } catch (error) {
    if (error instanceof Refused && error.code === 'changes_gone') return { data: [], meta: null };
    throw error;
  }
};

/** Marks lines as read, in this browser. */
export const noteRead = (lines: readonly Told[]): void => {
  const read = stored() ?? { upTo: 0, after: [] };
  store({ ...read, after: [...read.after, ...lines.map(({ sequence }) => sequence)] });
  settle(told.peek());
};
