import { run } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import type { AnyActor } from '../../auth/context.ts';
import { findAdmitted } from './queries.ts';
import { refuseActor } from './refusal.ts';

/** Throws if the caller lost access since the request was admitted: for answers that take long. */
export const assertStillAdmitted = async (deps: Deps, actor: AnyActor): Promise<void> => {
  const { userId: actorId, role: actorRole, doctorId: actorDoctorId, deviceLoginId: loginId } = actor;
  const caller = { actorId, actorRole, actorDoctorId, loginId, now: deps.clock() };
  const [admitted] = await run(deps.db, findAdmitted(deps.db, caller));
  if (admitted !== undefined) refuseActor({ ...admitted, repeated: 0 });
};
