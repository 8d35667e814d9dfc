import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bookingEvents } from '../../../src/core/tables/webhooks.ts';
import { findViolations } from '../../support/invariants.ts';
import {
  answer,
  book,
  cancel,
  capacity,
  close,
  job,
  join,
  move,
  order,
  pass,
} from '../../support/waitlist-commands.ts';
import { emptyWaitModel } from '../../support/waitlist-model.ts';
import { createReal, reset } from '../../support/waitlist-real.ts';
import { runs } from '../../support/zones.ts';

// A failure prints seed and path: `fc.assert` takes them beside `numRuns` to run it again.
it('seats are held, offered and handed on in the order of the list, as the model says', async () => {
  const real = await createReal();
  let offered = 0;
  let accepted = 0;
  const commands = [
    join,
    join,
    book,
    book,
    cancel,
    cancel,
    move,
    answer,
    answer,
    order,
    capacity,
    close,
    pass,
    job,
  ];
  await fc.assert(
    fc.asyncProperty(fc.noBias(fc.commands(commands, { maxCommands: 60, size: 'max' })), async (sequence) => {
      const model = emptyWaitModel();
      await reset(real);
      await fc.asyncModelRun(() => ({ model, real }), sequence);
      expect(await findViolations(real.world.db)).toEqual([]);
      const events = await real.world.db.select().from(bookingEvents);
      offered += events.filter(({ type }) => type === 'booking.offered').length;
      accepted += events.filter(({ type }) => type === 'booking.accepted').length;
    }),
    { numRuns: runs(40) },
  );
  // Without these it would have proved nothing. Some fifty and a dozen are usual.
  expect([offered > 3, accepted > 0]).toEqual([true, true]);
});
