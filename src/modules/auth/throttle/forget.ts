import type { Statement } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { accountName } from '../rules.ts';
import { forgetCounter, forgetNetworks } from './queries.ts';
import { type Act, policies } from './rules.ts';
import { accountCounter, knownName } from './throttled.ts';

/**
 * Statements that delete the counters and the networks of an account that is deleted, if the event was recorded.
 * Counters for the account together with a network cannot be looked up by account; they expire within hours.
 */
export const forgetAttempts = async (
  deps: Deps,
  { personId, email, writeId }: { personId: string; email: string | null; writeId: string },
): Promise<Statement[]> => {
  const acts = Object.keys(policies) as Act[];
  const accounts = email === null ? [personId] : [email, personId];
  const named = acts.flatMap((act) => accounts.map((account) => accountCounter(deps, act, account)));
  const keys = await Promise.all(named);
  const known = await knownName(deps, accountName({ id: personId, email }));
  return [
    forgetNetworks(deps.db, { account: known, writeId }),
    forgetCounter(deps.db, { keys: JSON.stringify(keys), writeId }),
  ];
};
