import { reading } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import type { QueryOf } from '../../../core/endpoint/endpoint.ts';
import { toIso } from '../../../core/endpoint/instants.ts';
import { feedPosition } from '../../../core/events/feed.ts';
import { findSpan } from '../../../core/events/feed-queries.ts';
import { defaultLimit } from '../../../core/http/page.ts';
import { findPatientChanges } from './change-queries.ts';
import type { ListPatientChanges } from './contract.ts';

type Query = QueryOf<typeof ListPatientChanges>;

/** The changes to patients' records since a position, in one round trip. */
export const patientChangesRead = ({ db }: Deps, { after, limit = defaultLimit }: Query) =>
  reading({ spans: findSpan(db, { after }), rows: findPatientChanges(db, { after, limit }) });

type Read = ReturnType<ReturnType<typeof patientChangesRead>['toResult']>;

export const patientChangesAnswer = (query: Query, read: Read) => ({
  status: 200 as const,
  data: read.rows.map(({ sequence, type, at, by, patientId, mergedInto }) => ({
    sequence,
    type,
    at: toIso(at),
    by,
    patient_id: patientId,
    merged_into: mergedInto,
  })),
  meta: feedPosition(query, read, true),
});
