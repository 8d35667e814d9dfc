// Whether the bookings that a patient makes wait for approval, since they missed visits (`APPROVAL_AFTER_NO_SHOWS`).

import { run } from '../../../core/db/db.ts';
import type { ActingContext } from '../record/context.ts';
import type { Decided, SeatRequest, Standing } from './decision.ts';
import { findMissed } from './standing-queries.ts';

/** By the rule, and by how many visits were missed within a year. */
export const standingAfter = (approvalAfter: number, missed: number): Standing => ({
  approvalAfter,
  waits: approvalAfter > 0 && missed >= approvalAfter ? 1 : 0,
});

const withStanding = (decided: Decided, standing: Standing): Decided =>
  standing.waits === 1
    ? { ...decided, standing, slot: { ...decided.slot, approval: 'manual' } }
    : { ...decided, standing };

/** The same of one slot. */
export const judgeOne = async (
  context: ActingContext,
  request: Pick<SeatRequest, 'party' | 'patientId'>,
  decided: Decided,
): Promise<Decided> => {
  const [judged] = await judgeStanding(context, request, [{ decided }]);
  return judged?.decided ?? decided;
};

/** Reads something only if a patient's booking would be approved at once, and the clinic has the rule. */
export const judgeStanding = async <T extends { decided: Decided }>(
  { deps, now }: ActingContext,
  { party, patientId }: Pick<SeatRequest, 'party' | 'patientId'>,
  tried: readonly T[],
): Promise<readonly T[]> => {
  const asking = tried.find(
    ({ decided: { rules, slot } }) => rules.approvalAfterNoShows > 0 && slot.approval === 'automatic',
  );
  if (party !== 'patient' || asking === undefined) return tried;
  const [row] = await run(deps.db, findMissed(deps.db, { patientId, now }));
  const standing = standingAfter(asking.decided.rules.approvalAfterNoShows, row?.missed ?? 0);
  return tried.map((one) =>
    one.decided.slot.approval === 'automatic'
      ? { ...one, decided: withStanding(one.decided, standing) }
      : one,
  );
};
