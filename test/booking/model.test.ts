import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compare, createReal, reset } from '../support/model/clinic.ts';
import { commandsOf } from '../support/model/commands.ts';
import { emptyModel } from '../support/model/state.ts';
import { runs } from '../support/zones.ts';

// A failure prints seed and path: `fc.assert` takes them beside `numRuns` to run it again.
it('random commands of random actors do to the bookings what the model says, and nothing else', async () => {
  const real = await createReal();
  let booked = 0;
  await fc.assert(
    fc.asyncProperty(fc.noBias(commandsOf(80)), async (commands) => {
      const model = emptyModel();
      await reset(real, model);
      await fc.asyncModelRun(() => ({ model, real }), commands);
      await compare(real, model);
      booked += model.bookings.length;
    }),
    { numRuns: runs(30) },
  );
  expect(booked).toBeGreaterThan(20);
});
