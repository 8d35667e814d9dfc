import { sql } from 'drizzle-orm';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { bookingView } from '../../../src/modules/booking/record/views.ts';
import { storedText as text } from '../../support/arbitrary-texts.ts';
import { book, createClinic } from '../../support/clinic-people.ts';
import { copyRow, otherId } from '../../support/copies.ts';
import { createWorld } from '../../support/world.ts';

const setUp = async () => {
  const world = await createWorld();
  const clinic = await createClinic(world);
  const id = await book(world, clinic);
  const historyText = async (query = ''): Promise<string> => {
    const headers = { Authorization: `Bearer ${clinic.patient.token}` };
    return (await world.app.request(`http://localhost/v1/bookings/history${query}`, { headers })).text();
  };
  return { world, id, historyText };
};

describe('the history, which the database writes as JSON', () => {
  it('is byte for byte what JSON.stringify makes of the bookings, whatever texts they hold', async () => {
    const { world, historyText } = await setUp();
    await fc.assert(
      fc.asyncProperty(text, text, text, async (notes, doctorName, sessionName) => {
        await world.db.update(bookings).set({ notes, doctorName, sessionName });
        const [row] = await world.db.select().from(bookings);
        if (row === undefined) throw new Error('The booking is gone.');
        const envelope = { status: 'success', data: [bookingView(row)], meta: { next_cursor: null } };
        expect(await historyText()).toBe(JSON.stringify(envelope));
      }),
      { numRuns: 60 },
    );
  });

  it('is an empty list without bookings', async () => {
    const { world, historyText } = await setUp();
    const empty = '{"status":"success","data":[],"meta":{"next_cursor":null}}';
    expect(await historyText('?from=2027-11-24')).toBe(empty);
    await world.db.update(bookings).set({ heldUntil: 1 });
    expect(await historyText()).toBe(empty);
  });

  it('shows bookings in the same order on one page as on pages of one', async () => {
    const { world, historyText } = await setUp();
    await copyRow(world, bookings, 30, {
      id: otherId('id'),
      writeId: otherId('write_id'),
      bookingCode: sql`'T' || i`,
      startsAt: sql`b.starts_at + 86400000 * (i % 7)`,
      seat: sql`i + 1`,
      status: sql`'canceled'`,
    });
    const whole = JSON.parse(await historyText()).data;
    expect(whole).toHaveLength(31);
    const seen: unknown[] = [];
    let cursor: string | null = null;
    do {
      const page = JSON.parse(await historyText(`?limit=1${cursor === null ? '' : `&cursor=${cursor}`}`));
      seen.push(...page.data);
      cursor = page.meta.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(whole);
  });
});
