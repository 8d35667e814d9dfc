import type { Deps } from '../../../core/deps.ts';
import { findPatientRecord } from './queries.ts';

interface Named {
  deps: Deps;
  params: { id: string };
  caller: { userId: string };
}

/** The patient that a path names, for people of the clinic who may see the record. */
export const namedPatient = {
  read: ({ deps, params, caller }: Named) =>
    findPatientRecord(deps.db, { id: params.id, callerId: caller.userId }),
  visible: ({ isVisible }: { isVisible: number }) => isVisible === 1,
};
