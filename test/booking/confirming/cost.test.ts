import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { clinic } from '../../../src/core/tables/catalog.ts';
import { book, createTelling, hour, mailing, tellAt } from '../../support/notices.ts';

const wednesday = '2026-11-25';
const reminded = Date.parse('2026-11-25T12:00:00+07:00') - 24 * hour;

/** The number of statements that a booking and its reminder make, and the booking before and after the reminder. */
const countOf = async (isOn: boolean) => {
  const telling = await createTelling(mailing);
  const { world } = telling;
  if (isOn) await world.db.update(clinic).set({ askConfirmation: true });
  let statements = 0;
  const { db } = world;
  world.deps.db = new Proxy(db, {
    get: (target, name) =>
      name === 'batch'
        ? (given: Parameters<typeof db.batch>[0]) => {
            statements += given.length;
            return db.batch(given);
          }
        : Reflect.get(target, name),
  });
  const id = await book(telling, { schedule_date: wednesday });
  const ofBooking = statements;
  const row = async () => (await db.select().from(bookings).where(eq(bookings.id, id)))[0];
  const before = await row();
  const mails = world.mails.length;
  await tellAt(world, reminded);
  return {
    ofBooking,
    ofReminder: statements - ofBooking,
    mails: world.mails.length - mails,
    before,
    after: await row(),
  };
};

describe('where reminders do not ask', () => {
  it('a booking and its reminder make no further statement, and the booking stays as it was written', async () => {
    const [off, on] = [await countOf(false), await countOf(true)];
    expect([off.mails, on.mails]).toEqual([1, 1]);
    expect(off.ofBooking).toBeGreaterThan(0);
    expect(off.ofBooking).toBe(on.ofBooking);
    // The one that notes that the patient was asked.
    expect(off.ofReminder).toBe(on.ofReminder - 1);
    expect(off.after).toEqual(off.before);
    expect(on.after).toEqual({ ...on.before, askedAt: reminded });
  });
});
