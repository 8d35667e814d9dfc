import fc from 'fast-check';
import { expect } from 'vitest';
import { expireBookings } from '../../../src/modules/booking/changes/expire.ts';
import { modelExpire, modelMerge } from './actions.ts';
import { addClosure, giveAccount, removeClosure, setApproval, setGrid, takeAccount } from './clinic.ts';
import { aDoctor, type Command, command, expectAnswer, nat, send } from './command.ts';
import { type Closed, mergedWith, minuteMs, walkIn } from './state.ts';

export const approve = fc.constantFrom('manual' as const, 'automatic' as const).map((approval) =>
  command(`approval(${approval})`, async (model, real) => {
    model.automatic = approval === 'automatic';
    await setApproval(real, approval);
  }),
);

export const lay = fc
  .record({
    doctor: aDoctor,
    start: fc.constantFrom(480, 495, 510),
    slotMinutes: fc.constantFrom(30, 30, 45, 60),
    capacity: fc.constantFrom(1, 2, 3),
  })
  .map(({ doctor, ...fields }) =>
    command(`lay out(${doctor}, ${JSON.stringify(fields)})`, async (model, real) => {
      const grid = { ...fields, end: 600 };
      model.grids[doctor] = grid;
      await setGrid(real, doctor, grid);
    }),
  );

export const close: fc.Arbitrary<Command> = fc
  .record({
    doctor: fc.option(aDoctor, { freq: 3 }),
    day: nat(2),
    hours: fc.option(fc.constantFrom({ from: 500, until: 545 }, { from: 0, until: 540 }), { freq: 3 }),
  })
  .map((closed: Closed) =>
    command(`close(${JSON.stringify(closed)})`, async (model, real) => {
      model.closures.push(closed);
      await addClosure(real, closed);
    }),
  );

export const open = nat(9).map((pick) =>
  command(
    `open(${pick})`,
    async (model, real) => {
      const at = pick % model.closures.length;
      model.closures.splice(at, 1);
      await removeClosure(real, at);
    },
    ({ closures }) => closures.length > 0,
  ),
);

export const wait = fc.constantFrom(5, 5, 5, 25, 25, 30, 30, 60, 90, 240).map((minutes) =>
  command(`wait(${minutes} minutes)`, async (model, real) => {
    model.now += minutes * minuteMs;
    real.world.clock.now = model.now;
  }),
);

export const expire = fc.constant(
  command('expire', async (model, real) => {
    modelExpire(model);
    await expireBookings(real.world.deps, model.now);
  }),
);

/** The clinic merges the record without an account into that of an account, or joins the accounts of both. */
export const merge = fc
  .record({
    role: fc.constantFrom('staff' as const, 'admin' as const),
    repeats: fc.boolean(),
    joins: fc.boolean(),
  })
  .map(({ role, repeats, joins }) =>
    command(
      `${joins ? 'join' : 'merge'}(${role})`,
      async (model, real) => {
        const expected = modelMerge(model, role);
        const [source = '', target] = [real.patients[walkIn]?.id, real.patients[mergedWith]?.id];
        if (joins) await giveAccount(real, source);
        const body = { into: target, ...(joins && { join_accounts: true, confirm: true }) };
        const who = { role, at: 0 };
        expectAnswer(await send(real, who, `/v1/patients/${source}/merge`, body, repeats), expected);
        if (joins) expect(await takeAccount(real, source)).toBe(expected.status === 200 ? 0 : 1);
      },
      ({ merged }) => !merged,
    ),
  );
