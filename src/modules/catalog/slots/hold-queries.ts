// The seats that are held for somebody who is about to book: read beside the bookings, where the clinic has such holds.

import { asc, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { type Named, statement } from '../../../core/db/statement.ts';
import { holds } from '../../../core/tables/queues.ts';

/** Holds that start between two instants and have not ended, by the dates on which they can lie in any time zone. */
const heldBetween = (after: Placeholder, before: Placeholder, now: Placeholder): SQL =>
  sql`${holds.startsAt} > ${after} and ${holds.startsAt} < ${before} and ${holds.expiresAt} > ${now}
    and ${holds.scheduleDate} between date(${after} / 1000, 'unixepoch', '-12 hours')
    and date(${before} / 1000, 'unixepoch', '+14 hours')`;

const heldColumns = { doctorId: holds.doctorId, startsAt: holds.startsAt, endsAt: holds.endsAt };

/** The live holds of the doctors whom `ids` selects, one row for each. */
export const buildFindHeld = <K extends string>(ids: (named: (name: K) => Placeholder) => SQL) =>
  statement((db, named: Named<K | 'after' | 'before' | 'now'>) =>
    db
      .select(heldColumns)
      .from(holds)
      .where(
        sql`${holds.doctorId} in ${ids(named)} and ${heldBetween(named('after'), named('before'), named('now'))}`,
      )
      .orderBy(asc(holds.startsAt)),
  );

interface Occupied {
  startsAt: number;
  endsAt: number;
  taken: number;
}

/** What is occupied, the held seats included: in the order of the starts, those of one doctor together. */
export const withHeld = <O extends Occupied>(
  occupied: readonly O[],
  held: readonly Omit<O, 'taken'>[],
): O[] => {
  const all = [...occupied];
  for (const one of held) {
    const isSame = (other: O) => Object.entries(one).every(([key, value]) => other[key as keyof O] === value);
    const at = all.findIndex(isSame);
    const known = all[at];
    if (known === undefined) all.push({ ...one, taken: 1 } as O);
    else all[at] = { ...known, taken: known.taken + 1 };
  }
  return held.length === 0 ? all : all.sort((a, b) => a.startsAt - b.startsAt || a.endsAt - b.endsAt);
};
