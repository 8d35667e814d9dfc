import type { Db } from '../db/db.ts';
import { recordSubjectEventIfAudited, type SubjectEvent, type SubjectEventType } from './queries.ts';

/** The person who changes a record, and their role. */
interface By {
  actorId: string;
  role: SubjectEvent['actorRole'];
  requestId: string;
  now: number;
}

/** The webhook event of a change of a record, in the batch that has recorded it in the audit trail. */
export const recordPatientEvent = (
  db: Db,
  { actorId, role, requestId, now }: By,
  type: Extract<SubjectEventType, `patient.${string}`>,
  writeId: string,
  patientId: string,
  mergedInto: string | null = null,
) =>
  recordSubjectEventIfAudited(db, {
    writeId,
    type,
    subjectId: patientId,
    actorId,
    actorRole: role,
    requestId,
    now,
    data: { patient_id: patientId, merged_into: mergedInto },
  });
