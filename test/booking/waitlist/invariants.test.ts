import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { waitlistEntries } from '../../../src/core/tables/queues.ts';
import { findViolations } from '../../support/invariants.ts';
import { nine, setUp, ten } from '../../support/waiting-twice.ts';

describe('the checker of invariants', () => {
  it('notices a second open offer of a patient, and a second entry for one wish', async () => {
    const { world, record, account, atNine, atTen, ...w } = await setUp();
    await w.waitForRecord(nine);
    await w.wait(account, ten);
    await atNine.giveBack();
    await atTen.giveBack();
    expect(await findViolations(world.db)).toEqual([]);
    for (const table of [bookings, waitlistEntries])
      await world.db.update(table).set({ patientId: account.id }).where(sql`patient_id = ${record}`);
    const found = (await findViolations(world.db)).join('\n');
    expect(found).toContain('an open offer is the only one of an entry that waits, and of its patient');
    expect(found).toContain('a patient waits once for a session and doctor');
  });
});
