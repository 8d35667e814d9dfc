import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { bookings } from '../../src/core/tables/bookings.ts';
import { archiveBookings } from '../../src/jobs/archive.ts';
import { setUpPastVisits } from '../support/past-visits.ts';

describe('an import of past visits', () => {
  it.each([undefined, 'K'])('knows again what is archived, with ids %s', async (prefix) => {
    const { world, outcomes, history, visit } = await setUpPastVisits({ ARCHIVE_AFTER_DAYS: '400' });
    const rows = [1, 2, 3].map((at) => ({
      ...visit,
      row: at + 1,
      date: `0${at}/03/2024 09:30`,
      external_id: prefix && `${prefix}${at}`,
    }));
    expect(await outcomes(rows)).toEqual(['created', 'created', 'created']);
    await world.db.update(bookings).set({ updatedAt: sql`starts_at` });
    await archiveBookings(world.deps, world.clock.now);
    expect(await world.deps.archive?.db.select().from(bookings)).toHaveLength(2);
    expect(await outcomes(rows)).toEqual(['unchanged', 'unchanged', 'unchanged']);
    expect(await history()).toHaveLength(3);
  });
});
